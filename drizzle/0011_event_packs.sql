CREATE TABLE "ats"."event_pack" (
	"project_no" integer NOT NULL,
	"execution_no" bigint NOT NULL,
	"pack_no" integer NOT NULL,
	"away" boolean NOT NULL,
	"first_timestamp" timestamp (6) with time zone NOT NULL,
	"received_at" timestamp (6) with time zone NOT NULL,
	"batch_no" bigint NOT NULL,
	"event_ids" text[] COLLATE "C" NOT NULL,
	"event_types" smallint[] NOT NULL,
	"sequences" integer[] NOT NULL,
	"timestamps" timestamp (6) with time zone[] NOT NULL,
	"payloads" text[] NOT NULL
) PARTITION BY RANGE ("first_timestamp");
--> statement-breakpoint
-- From here on: what Drizzle's schema language cannot say.
ALTER TABLE "ats"."event" RENAME TO "event_before";--> statement-breakpoint
ALTER TABLE "ats"."event_default" RENAME TO "event_before_default";--> statement-breakpoint
-- Stray clocks end here. Same index as every day partition.
CREATE TABLE "ats"."event_pack_default" PARTITION OF "ats"."event_pack" DEFAULT;--> statement-breakpoint
-- Packs are cut to half a page (src/store/telemetry/pack-buffer.ts): beyond it there is one long event, compressed and stored aside.
ALTER TABLE "ats"."event_pack_default" SET (toast_tuple_target = 4080);--> statement-breakpoint
CREATE UNIQUE INDEX "event_pack_default_number" ON "ats"."event_pack_default" ("project_no", "execution_no", "pack_no", "away");--> statement-breakpoint
-- Makes the partition of one UTC day and moves the packs of that day out of the default partition. The table is built aside
-- and attached: readers and writers of other partitions are not blocked.
CREATE OR REPLACE FUNCTION "ats"."ensure_event_partition"(day date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	part text := 'event_pack_' || to_char(day, 'YYYYMMDD');
	low timestamptz := day::timestamp AT TIME ZONE 'UTC';
	high timestamptz := (day + 1)::timestamp AT TIME ZONE 'UTC';
BEGIN
	IF to_regclass(format('ats.%I', part)) IS NOT NULL THEN
		RETURN false;
	END IF;
	-- A table lock and not an advisory one: taking it also refreshes what this session knows of the catalogue.
	LOCK TABLE ats.event_pack IN SHARE UPDATE EXCLUSIVE MODE;
	IF to_regclass(format('ats.%I', part)) IS NOT NULL THEN
		RETURN false;
	END IF;
	EXECUTE format('CREATE TABLE ats.%I (LIKE ats.event_pack INCLUDING DEFAULTS) WITH (toast_tuple_target = 4080)', part);
	LOCK TABLE ats.event_pack_default IN ACCESS EXCLUSIVE MODE;
	EXECUTE format(
		'WITH moved AS (DELETE FROM ats.event_pack_default WHERE first_timestamp >= %L AND first_timestamp < %L RETURNING *) '
		'INSERT INTO ats.%I SELECT * FROM moved', low, high, part);
	EXECUTE format('CREATE UNIQUE INDEX %I ON ats.%I (project_no, execution_no, pack_no, away)', part || '_number', part);
	EXECUTE format('ALTER TABLE ats.event_pack ATTACH PARTITION ats.%I FOR VALUES FROM (%L) TO (%L)', part, low, high);
	RETURN true;
END $$;--> statement-breakpoint
SELECT ats.ensure_event_partition(to_date(right(c.relname, 8), 'YYYYMMDD'))
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'ats.event_before'::regclass AND c.relname ~ '^event_[0-9]{8}$' ORDER BY c.relname;--> statement-breakpoint
-- Events of before, packed by execution, day and request, some 3,000 bytes a pack. A long event stands alone, so that the others of
-- a pack are read without it. Identity claims (event_type 0) become the stand-ins below.
INSERT INTO "ats"."event_pack"
SELECT project_no, execution_no,
	(row_number() OVER (PARTITION BY project_no, execution_no ORDER BY batch_no, received_at, day, is_long, part))::int - 1, away,
	first_timestamp, received_at, batch_no, event_ids, event_types, sequences, timestamps, payloads
FROM (
	SELECT project_no, execution_no, batch_no, received_at, day, is_long, part, away, min("timestamp") AS first_timestamp,
		array_agg(event_id ORDER BY sequence, event_id) AS event_ids, array_agg(event_type ORDER BY sequence, event_id) AS event_types,
		array_agg(sequence ORDER BY sequence, event_id) AS sequences,
		array_agg("timestamp" ORDER BY sequence, event_id) AS timestamps, array_agg(payload ORDER BY sequence, event_id) AS payloads
	FROM (
		SELECT e.*, s.is_long, d.day, d.day <> x.home_day AS away,
			sum(CASE WHEN s.is_long THEN 2800 ELSE s.bytes END) OVER (
				PARTITION BY e.project_no, e.execution_no, e.batch_no, e.received_at, d.day, s.is_long ORDER BY e.sequence, e.event_id
			) / 2800 AS part
		FROM ats.event_before e
		JOIN ats.execution x ON x.project_no = e.project_no AND x.execution_no = e.execution_no
		CROSS JOIN LATERAL (SELECT (e."timestamp" AT TIME ZONE 'UTC')::date AS day) d
		CROSS JOIN LATERAL (SELECT octet_length(e.payload) + octet_length(e.event_id) + 32 AS bytes) b
		CROSS JOIN LATERAL (SELECT b.bytes, b.bytes > 1000 AS is_long) s
		WHERE e.event_type > 0
	) e
	GROUP BY project_no, execution_no, batch_no, received_at, day, is_long, part, away
) p;--> statement-breakpoint
INSERT INTO "ats"."event_pack"
SELECT p.project_no, p.execution_no, p.pack_no, false, x.home_day::timestamp AT TIME ZONE 'UTC', p.received_at, p.batch_no, p.event_ids,
	'{}', '{}', ARRAY[p.first_timestamp], '{}'
FROM ats.event_pack p
JOIN ats.execution x ON x.project_no = p.project_no AND x.execution_no = p.execution_no
WHERE p.away;--> statement-breakpoint
DROP VIEW "public"."events";--> statement-breakpoint
DROP FUNCTION "ats"."event_partition"(date);--> statement-breakpoint
DROP TABLE "ats"."event_before";--> statement-breakpoint
-- The events of the packs, one a row. A condition on `timestamp` reads every partition; beside one on `pack_timestamp`, the first
-- timestamp in the event's pack, which lies on the same UTC day, only those of the days in question.
CREATE VIEW "ats"."event" AS
	SELECT p.project_no, p.execution_no, p.event_ids[e.nth] AS event_id, e.event_type, p.sequences[e.nth] AS sequence,
		p.timestamps[e.nth] AS "timestamp", p.payloads[e.nth] AS payload, p.received_at, p.batch_no,
		p.first_timestamp AS pack_timestamp
	FROM ats.event_pack p
	CROSS JOIN LATERAL unnest(p.event_types) WITH ORDINALITY AS e (event_type, nth);--> statement-breakpoint
-- Left joins on unique keys: PostgreSQL drops a join whose columns are not asked for, so count(*) reads packs alone.
CREATE VIEW "public"."events" AS
	SELECT p.project_id, x.execution_id, e.event_id, ats.event_type_name(e.event_type) AS event_type, e.sequence,
		e."timestamp", e.payload::json AS payload, e.received_at, e.pack_timestamp
	FROM ats.event e
	LEFT JOIN ats.execution x ON x.project_no = e.project_no AND x.execution_no = e.execution_no
	LEFT JOIN ats.project p ON p.project_no = e.project_no;
