CREATE SCHEMA "ats";
--> statement-breakpoint
CREATE TABLE "ats"."api_key" (
	"project_no" integer NOT NULL,
	"key_id" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"hint" text NOT NULL,
	"name" text,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp (6) with time zone,
	"last_used_at" timestamp (6) with time zone,
	CONSTRAINT "api_key_project_no_key_id_pk" PRIMARY KEY("project_no","key_id")
);
--> statement-breakpoint
CREATE TABLE "ats"."directory_version" (
	"only" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"version" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ats"."project" (
	"project_no" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ats"."project_project_no_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"rate_burst" integer DEFAULT 100 NOT NULL,
	"rate_per_second" integer DEFAULT 10 NOT NULL,
	"cooldown_seconds" integer DEFAULT 86400 NOT NULL,
	"alert_scope" text DEFAULT 'class' NOT NULL,
	"detector_settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_project_id_unique" UNIQUE("project_id"),
	CONSTRAINT "project_rate_burst_range" CHECK ("ats"."project"."rate_burst" between 1 and 1000000),
	CONSTRAINT "project_rate_per_second_range" CHECK ("ats"."project"."rate_per_second" between 1 and 1000000),
	CONSTRAINT "project_cooldown_range" CHECK ("ats"."project"."cooldown_seconds" between 0 and 31536000),
	CONSTRAINT "project_alert_scope_values" CHECK ("ats"."project"."alert_scope" in ('class', 'group'))
);
--> statement-breakpoint
CREATE TABLE "ats"."webhook" (
	"project_no" integer NOT NULL,
	"webhook_id" text NOT NULL,
	"url" text NOT NULL,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_secret_until" timestamp (6) with time zone,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"disabled_at" timestamp (6) with time zone,
	"disabled_reason" text,
	"failing_since" timestamp (6) with time zone,
	CONSTRAINT "webhook_project_no_webhook_id_pk" PRIMARY KEY("project_no","webhook_id")
);
--> statement-breakpoint
CREATE TABLE "ats"."batch" (
	"project_no" integer NOT NULL,
	"batch_no" bigint NOT NULL,
	"event_count" integer NOT NULL,
	"execution_nos" bigint[] NOT NULL,
	"first_timestamp" timestamp (6) with time zone,
	"last_timestamp" timestamp (6) with time zone,
	"stored_at" timestamp (6) with time zone DEFAULT clock_timestamp() NOT NULL,
	"detected_at" timestamp (6) with time zone,
	CONSTRAINT "batch_project_no_batch_no_pk" PRIMARY KEY("project_no","batch_no")
);
--> statement-breakpoint
CREATE TABLE "ats"."event" (
	"project_no" integer NOT NULL,
	"execution_no" bigint NOT NULL,
	"event_id" text COLLATE "C" NOT NULL,
	"event_type" smallint NOT NULL,
	"sequence" integer NOT NULL,
	"timestamp" timestamp (6) with time zone NOT NULL,
	"payload" text NOT NULL,
	"received_at" timestamp (6) with time zone NOT NULL,
	"batch_no" bigint NOT NULL
) PARTITION BY RANGE ("timestamp");
--> statement-breakpoint
CREATE TABLE "ats"."execution" (
	"project_no" integer NOT NULL,
	"execution_no" bigserial NOT NULL,
	"execution_id" text COLLATE "C" NOT NULL,
	"status" text DEFAULT 'started' NOT NULL,
	"sdk_language" text,
	"sdk_version" text,
	"duration_ms" bigint,
	"total_tokens_in" bigint,
	"total_tokens_out" bigint,
	"crash_signature" text,
	"environment" json,
	"home_day" date,
	"started_at" timestamp (6) with time zone NOT NULL,
	"finished_at" timestamp (6) with time zone,
	CONSTRAINT "execution_project_no_execution_no_pk" PRIMARY KEY("project_no","execution_no")
);
--> statement-breakpoint
ALTER TABLE "ats"."api_key" ADD CONSTRAINT "api_key_project_no_project_project_no_fk" FOREIGN KEY ("project_no") REFERENCES "ats"."project"("project_no") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ats"."webhook" ADD CONSTRAINT "webhook_project_no_project_project_no_fk" FOREIGN KEY ("project_no") REFERENCES "ats"."project"("project_no") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_key_key_id" ON "ats"."api_key" USING btree ("key_id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_key_key_hash" ON "ats"."api_key" USING btree ("key_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_webhook_id" ON "ats"."webhook" USING btree ("webhook_id");--> statement-breakpoint
CREATE INDEX "batch_owed" ON "ats"."batch" USING btree ("stored_at") WHERE "ats"."batch"."detected_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "execution_identity" ON "ats"."execution" USING btree ("project_no","execution_id");--> statement-breakpoint
CREATE INDEX "execution_started_at" ON "ats"."execution" USING btree ("project_no","started_at");--> statement-breakpoint
-- From here on: what Drizzle's schema language cannot say.
ALTER TABLE "ats"."execution" SET (fillfactor = 80);--> statement-breakpoint
ALTER TABLE "ats"."batch" SET (fillfactor = 80);--> statement-breakpoint
-- Blocks of batch numbers: a writer takes one block at a time and counts inside it, so that the number is known
-- before the transaction starts and a retry can ask whether the first try was committed.
CREATE SEQUENCE "ats"."batch_block" AS bigint INCREMENT BY 65536 MINVALUE 65536 START WITH 65536;--> statement-breakpoint
-- Stray clocks end here. Same identity index as every day partition.
CREATE TABLE "ats"."event_default" PARTITION OF "ats"."event" DEFAULT;--> statement-breakpoint
CREATE UNIQUE INDEX "event_default_identity" ON "ats"."event_default" ("project_no", "execution_no", "event_id");--> statement-breakpoint
-- Which partition holds a UTC day now.
CREATE FUNCTION "ats"."event_partition"(day date) RETURNS regclass LANGUAGE sql STABLE RETURN
	coalesce(to_regclass('ats.event_' || to_char(day, 'YYYYMMDD')), 'ats.event_default'::regclass);--> statement-breakpoint
-- Makes the partition of one UTC day and moves the rows of that day out of the default partition. The table is built aside
-- and attached: readers and writers of other partitions are not blocked. Two days that shared the default partition, and so
-- its unique index, are apart from then on: the identities that one must know of the other are claimed (event_type 0).
CREATE FUNCTION "ats"."ensure_event_partition"(day date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	part text := 'event_' || to_char(day, 'YYYYMMDD');
	low timestamptz := day::timestamp AT TIME ZONE 'UTC';
	high timestamptz := (day + 1)::timestamp AT TIME ZONE 'UTC';
BEGIN
	IF to_regclass(format('ats.%I', part)) IS NOT NULL THEN
		RETURN false;
	END IF;
	-- A table lock and not an advisory one: taking it also refreshes what this session knows of the catalogue.
	LOCK TABLE ats.event IN SHARE UPDATE EXCLUSIVE MODE;
	IF to_regclass(format('ats.%I', part)) IS NOT NULL THEN
		RETURN false;
	END IF;
	EXECUTE format('CREATE TABLE ats.%I (LIKE ats.event INCLUDING DEFAULTS)', part);
	LOCK TABLE ats.event_default IN ACCESS EXCLUSIVE MODE;
	EXECUTE format(
		'WITH moved AS (DELETE FROM ats.event_default WHERE "timestamp" >= %L AND "timestamp" < %L RETURNING *) '
		'INSERT INTO ats.%I SELECT * FROM moved', low, high, part);
	EXECUTE format('CREATE UNIQUE INDEX %I ON ats.%I (project_no, execution_no, event_id)', part || '_identity', part);
	EXECUTE format('ALTER TABLE ats.event ATTACH PARTITION ats.%I FOR VALUES FROM (%L) TO (%L)', part, low, high);
	-- Events of this day whose executions have another home, and events left in the default partition whose home is this day.
	EXECUTE format(
		'INSERT INTO ats.event SELECT e.project_no, e.execution_no, e.event_id, 0, 0, '
		'x.home_day::timestamp AT TIME ZONE ''UTC'', ''{}'', e.received_at, e.batch_no '
		'FROM (SELECT * FROM ats.%I UNION ALL SELECT * FROM ats.event_default) e '
		'JOIN ats.execution x ON x.project_no = e.project_no AND x.execution_no = e.execution_no '
		'WHERE e.event_type > 0 AND (x.home_day = %L) <> (e."timestamp" >= %L AND e."timestamp" < %L) '
		'ON CONFLICT DO NOTHING', part, day, low, high);
	RETURN true;
END $$;--> statement-breakpoint
INSERT INTO "ats"."directory_version" DEFAULT VALUES;--> statement-breakpoint
CREATE FUNCTION "ats"."bump_directory_version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE ats.directory_version SET version = version + 1;
	NOTIFY ats_directory;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "project_bumps_directory" AFTER INSERT OR UPDATE OR DELETE ON "ats"."project"
	FOR EACH STATEMENT EXECUTE FUNCTION "ats"."bump_directory_version"();--> statement-breakpoint
-- Not on last_used_at: noting the use of a key must not make every replica reload.
CREATE TRIGGER "api_key_bumps_directory" AFTER INSERT OR DELETE OR UPDATE OF key_hash, revoked_at ON "ats"."api_key"
	FOR EACH STATEMENT EXECUTE FUNCTION "ats"."bump_directory_version"();--> statement-breakpoint
CREATE FUNCTION "ats"."event_type_name"(code smallint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
	(ARRAY['llm_call', 'tool_call', 'checkpoint', 'exception', 'validator_result', 'drift_signal', 'injection_alert',
		'infrastructure_event', 'dlp_scan_result', 'mcp_call', 'eval_score', 'memory_operation', 'agent_handoff',
		'human_intervention', 'egress', 'environment_declaration'])[code];--> statement-breakpoint
-- Left joins on unique keys: PostgreSQL drops a join whose columns are not asked for, so count(*) reads events alone.
CREATE VIEW "public"."events" AS
	SELECT p.project_id, x.execution_id, e.event_id, ats.event_type_name(e.event_type) AS event_type, e.sequence,
		e."timestamp", e.payload::json AS payload, e.received_at
	FROM ats.event e
	LEFT JOIN ats.execution x ON x.project_no = e.project_no AND x.execution_no = e.execution_no
	LEFT JOIN ats.project p ON p.project_no = e.project_no
	WHERE e.event_type > 0;--> statement-breakpoint
CREATE VIEW "public"."executions" AS
	SELECT p.project_id, x.execution_id, x.status, x.sdk_language, x.sdk_version, x.duration_ms, x.total_tokens_in,
		x.total_tokens_out, x.crash_signature, x.environment, x.started_at, x.finished_at
	FROM ats.execution x
	LEFT JOIN ats.project p ON p.project_no = x.project_no;
