CREATE TABLE "ats"."detection_rollup" (
	"project_no" integer NOT NULL,
	"slot_at" timestamp (6) with time zone NOT NULL,
	"class" text NOT NULL,
	"severity" text NOT NULL,
	"detection_count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "detection_rollup_project_no_slot_at_class_severity_pk" PRIMARY KEY("project_no","slot_at","class","severity")
);
--> statement-breakpoint
CREATE TABLE "ats"."event_rollup" (
	"project_no" integer NOT NULL,
	"slot_at" timestamp (6) with time zone NOT NULL,
	"event_type" smallint NOT NULL,
	"event_count" bigint DEFAULT 0 NOT NULL,
	"tokens_in" numeric DEFAULT '0' NOT NULL,
	"tokens_out" numeric DEFAULT '0' NOT NULL,
	CONSTRAINT "event_rollup_project_no_slot_at_event_type_pk" PRIMARY KEY("project_no","slot_at","event_type")
);
--> statement-breakpoint
CREATE TABLE "ats"."execution_rollup" (
	"project_no" integer NOT NULL,
	"slot_at" timestamp (6) with time zone NOT NULL,
	"started" bigint DEFAULT 0 NOT NULL,
	"completed" bigint DEFAULT 0 NOT NULL,
	"crashed" bigint DEFAULT 0 NOT NULL,
	"started_completed" bigint DEFAULT 0 NOT NULL,
	"started_crashed" bigint DEFAULT 0 NOT NULL,
	"tokens_in" numeric DEFAULT '0' NOT NULL,
	"tokens_out" numeric DEFAULT '0' NOT NULL,
	CONSTRAINT "execution_rollup_project_no_slot_at_pk" PRIMARY KEY("project_no","slot_at")
);
--> statement-breakpoint
CREATE TABLE "ats"."execution_tally" (
	"project_no" integer NOT NULL,
	"slot_at" timestamp (6) with time zone NOT NULL,
	"started" bigint DEFAULT 0 NOT NULL,
	"completed" bigint DEFAULT 0 NOT NULL,
	"crashed" bigint DEFAULT 0 NOT NULL,
	"started_completed" bigint DEFAULT 0 NOT NULL,
	"started_crashed" bigint DEFAULT 0 NOT NULL,
	"tokens_in" numeric DEFAULT '0' NOT NULL,
	"tokens_out" numeric DEFAULT '0' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ats"."outcome_rollup" (
	"project_no" integer NOT NULL,
	"slot_at" timestamp (6) with time zone NOT NULL,
	"key_id" text NOT NULL,
	"outcome" text NOT NULL,
	"reason" text NOT NULL,
	"event_count" bigint DEFAULT 0 NOT NULL,
	"last_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "outcome_rollup_project_no_slot_at_key_id_outcome_reason_pk" PRIMARY KEY("project_no","slot_at","key_id","outcome","reason")
);
--> statement-breakpoint
ALTER TABLE "ats"."project" ADD COLUMN "retention_days" integer;--> statement-breakpoint
CREATE INDEX "detection_rollup_unfolded" ON "ats"."detection_rollup" USING btree ("slot_at") WHERE "ats"."detection_rollup"."slot_at" <> date_bin('1 hour', "ats"."detection_rollup"."slot_at", timestamptz '2000-01-01 00:00:00+00');--> statement-breakpoint
CREATE INDEX "event_rollup_unfolded" ON "ats"."event_rollup" USING btree ("slot_at") WHERE "ats"."event_rollup"."slot_at" <> date_bin('1 hour', "ats"."event_rollup"."slot_at", timestamptz '2000-01-01 00:00:00+00');--> statement-breakpoint
CREATE INDEX "execution_rollup_unfolded" ON "ats"."execution_rollup" USING btree ("slot_at") WHERE "ats"."execution_rollup"."slot_at" <> date_bin('1 hour', "ats"."execution_rollup"."slot_at", timestamptz '2000-01-01 00:00:00+00');--> statement-breakpoint
CREATE INDEX "execution_tally_slot" ON "ats"."execution_tally" USING btree ("project_no","slot_at");--> statement-breakpoint
CREATE INDEX "outcome_rollup_unfolded" ON "ats"."outcome_rollup" USING btree ("slot_at") WHERE "ats"."outcome_rollup"."slot_at" <> date_bin('1 hour', "ats"."outcome_rollup"."slot_at", timestamptz '2000-01-01 00:00:00+00');--> statement-breakpoint
CREATE INDEX "batch_detected" ON "ats"."batch" USING btree ("detected_at") WHERE "ats"."batch"."detected_at" is not null;--> statement-breakpoint
ALTER TABLE "ats"."project" ADD CONSTRAINT "project_retention_range" CHECK ("ats"."project"."retention_days" between 1 and 3650);--> statement-breakpoint
-- From here on: what Drizzle's schema language cannot say.
-- Rows of the current minute are rewritten many times over: with room on their page, that touches no index.
ALTER TABLE "ats"."outcome_rollup" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "ats"."event_rollup" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "ats"."detection_rollup" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "ats"."execution_rollup" SET (fillfactor = 50);--> statement-breakpoint
-- Executions of before; their events were not counted by type as they came, and stay uncounted.
INSERT INTO "ats"."execution_rollup"
SELECT project_no, slot_at, sum(started), sum(completed), sum(crashed), sum(started_completed), sum(started_crashed),
	sum(tokens_in), sum(tokens_out)
FROM (
	SELECT project_no, date_bin('1 hour', started_at, timestamptz '2000-01-01 00:00:00+00') AS slot_at, 1 AS started,
		0 AS completed, 0 AS crashed, (status = 'completed')::int AS started_completed,
		(status = 'crashed')::int AS started_crashed, 0 AS tokens_in, 0 AS tokens_out
	FROM ats.execution
	UNION ALL
	SELECT project_no, date_bin('1 hour', finished_at, timestamptz '2000-01-01 00:00:00+00'), 0,
		(status = 'completed')::int, (status = 'crashed')::int, 0, 0, coalesce(total_tokens_in, 0), coalesce(total_tokens_out, 0)
	FROM ats.execution WHERE finished_at IS NOT NULL
) change
GROUP BY project_no, slot_at;
