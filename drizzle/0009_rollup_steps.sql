DROP INDEX "ats"."detection_rollup_unfolded";--> statement-breakpoint
DROP INDEX "ats"."event_rollup_unfolded";--> statement-breakpoint
DROP INDEX "ats"."execution_rollup_unfolded";--> statement-breakpoint
DROP INDEX "ats"."outcome_rollup_unfolded";--> statement-breakpoint
ALTER TABLE "ats"."detection_rollup" DROP CONSTRAINT "detection_rollup_project_no_slot_at_class_severity_pk";--> statement-breakpoint
ALTER TABLE "ats"."event_rollup" DROP CONSTRAINT "event_rollup_project_no_slot_at_event_type_pk";--> statement-breakpoint
ALTER TABLE "ats"."execution_rollup" DROP CONSTRAINT "execution_rollup_project_no_slot_at_pk";--> statement-breakpoint
ALTER TABLE "ats"."outcome_rollup" DROP CONSTRAINT "outcome_rollup_project_no_slot_at_key_id_outcome_reason_pk";--> statement-breakpoint
ALTER TABLE "ats"."detection_rollup" ADD COLUMN "step" integer DEFAULT 60 NOT NULL;--> statement-breakpoint
ALTER TABLE "ats"."event_rollup" ADD COLUMN "step" integer DEFAULT 60 NOT NULL;--> statement-breakpoint
ALTER TABLE "ats"."execution_rollup" ADD COLUMN "step" integer DEFAULT 60 NOT NULL;--> statement-breakpoint
ALTER TABLE "ats"."outcome_rollup" ADD COLUMN "step" integer DEFAULT 60 NOT NULL;--> statement-breakpoint
ALTER TABLE "ats"."detection_rollup" ALTER COLUMN "step" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "ats"."event_rollup" ALTER COLUMN "step" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "ats"."execution_rollup" ALTER COLUMN "step" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "ats"."outcome_rollup" ALTER COLUMN "step" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "ats"."detection_rollup" ADD CONSTRAINT "detection_rollup_project_no_step_slot_at_class_severity_pk" PRIMARY KEY("project_no","step","slot_at","class","severity");--> statement-breakpoint
ALTER TABLE "ats"."event_rollup" ADD CONSTRAINT "event_rollup_project_no_step_slot_at_event_type_pk" PRIMARY KEY("project_no","step","slot_at","event_type");--> statement-breakpoint
ALTER TABLE "ats"."execution_rollup" ADD CONSTRAINT "execution_rollup_project_no_step_slot_at_pk" PRIMARY KEY("project_no","step","slot_at");--> statement-breakpoint
ALTER TABLE "ats"."outcome_rollup" ADD CONSTRAINT "outcome_rollup_project_no_step_slot_at_key_id_outcome_reason_pk" PRIMARY KEY("project_no","step","slot_at","key_id","outcome","reason");--> statement-breakpoint
CREATE INDEX "detection_rollup_short" ON "ats"."detection_rollup" USING btree ("step","slot_at") WHERE "ats"."detection_rollup"."step" < 3600;--> statement-breakpoint
CREATE INDEX "event_rollup_short" ON "ats"."event_rollup" USING btree ("step","slot_at") WHERE "ats"."event_rollup"."step" < 3600;--> statement-breakpoint
CREATE INDEX "execution_rollup_short" ON "ats"."execution_rollup" USING btree ("step","slot_at") WHERE "ats"."execution_rollup"."step" < 3600;--> statement-breakpoint
CREATE INDEX "outcome_rollup_short" ON "ats"."outcome_rollup" USING btree ("step","slot_at") WHERE "ats"."outcome_rollup"."step" < 3600;--> statement-breakpoint
-- From here on: what Drizzle's schema language cannot say.
-- Rows so far stand for a minute in the last 48 hours, for an hour before. Slots of ten minutes older than that hold a whole hour: the sum
-- over a range is right, its curve is not until eight days have passed.
INSERT INTO "ats"."outcome_rollup" (project_no, step, slot_at, key_id, outcome, reason, event_count, last_at)
SELECT project_no, 3600, date_bin('1 hour', slot_at, timestamptz '2000-01-01 00:00:00+00'), key_id, outcome, reason, sum(event_count), max(last_at)
FROM "ats"."outcome_rollup" WHERE step = 60 GROUP BY 1, 2, 3, 4, 5, 6;--> statement-breakpoint
INSERT INTO "ats"."outcome_rollup" (project_no, step, slot_at, key_id, outcome, reason, event_count, last_at)
SELECT project_no, 600, date_bin('10 minutes', slot_at, timestamptz '2000-01-01 00:00:00+00'), key_id, outcome, reason, sum(event_count), max(last_at)
FROM "ats"."outcome_rollup" WHERE step = 60 AND slot_at >= now() - interval '8 days' GROUP BY 1, 2, 3, 4, 5, 6;--> statement-breakpoint
DELETE FROM "ats"."outcome_rollup" WHERE step = 60 AND slot_at < now() - interval '47 hours';--> statement-breakpoint
INSERT INTO "ats"."event_rollup" (project_no, step, slot_at, event_type, event_count, tokens_in, tokens_out)
SELECT project_no, 3600, date_bin('1 hour', slot_at, timestamptz '2000-01-01 00:00:00+00'), event_type, sum(event_count), sum(tokens_in), sum(tokens_out)
FROM "ats"."event_rollup" WHERE step = 60 GROUP BY 1, 2, 3, 4;--> statement-breakpoint
INSERT INTO "ats"."event_rollup" (project_no, step, slot_at, event_type, event_count, tokens_in, tokens_out)
SELECT project_no, 600, date_bin('10 minutes', slot_at, timestamptz '2000-01-01 00:00:00+00'), event_type, sum(event_count), sum(tokens_in), sum(tokens_out)
FROM "ats"."event_rollup" WHERE step = 60 AND slot_at >= now() - interval '8 days' GROUP BY 1, 2, 3, 4;--> statement-breakpoint
DELETE FROM "ats"."event_rollup" WHERE step = 60 AND slot_at < now() - interval '47 hours';--> statement-breakpoint
INSERT INTO "ats"."detection_rollup" (project_no, step, slot_at, class, severity, detection_count)
SELECT project_no, 3600, date_bin('1 hour', slot_at, timestamptz '2000-01-01 00:00:00+00'), class, severity, sum(detection_count)
FROM "ats"."detection_rollup" WHERE step = 60 GROUP BY 1, 2, 3, 4, 5;--> statement-breakpoint
INSERT INTO "ats"."detection_rollup" (project_no, step, slot_at, class, severity, detection_count)
SELECT project_no, 600, date_bin('10 minutes', slot_at, timestamptz '2000-01-01 00:00:00+00'), class, severity, sum(detection_count)
FROM "ats"."detection_rollup" WHERE step = 60 AND slot_at >= now() - interval '8 days' GROUP BY 1, 2, 3, 4, 5;--> statement-breakpoint
DELETE FROM "ats"."detection_rollup" WHERE step = 60 AND slot_at < now() - interval '47 hours';--> statement-breakpoint
INSERT INTO "ats"."execution_rollup" (project_no, step, slot_at, started, completed, crashed, started_completed, started_crashed, tokens_in, tokens_out)
SELECT project_no, 3600, date_bin('1 hour', slot_at, timestamptz '2000-01-01 00:00:00+00'), sum(started), sum(completed), sum(crashed), sum(started_completed), sum(started_crashed), sum(tokens_in), sum(tokens_out)
FROM "ats"."execution_rollup" WHERE step = 60 GROUP BY 1, 2, 3;--> statement-breakpoint
INSERT INTO "ats"."execution_rollup" (project_no, step, slot_at, started, completed, crashed, started_completed, started_crashed, tokens_in, tokens_out)
SELECT project_no, 600, date_bin('10 minutes', slot_at, timestamptz '2000-01-01 00:00:00+00'), sum(started), sum(completed), sum(crashed), sum(started_completed), sum(started_crashed), sum(tokens_in), sum(tokens_out)
FROM "ats"."execution_rollup" WHERE step = 60 AND slot_at >= now() - interval '8 days' GROUP BY 1, 2, 3;--> statement-breakpoint
DELETE FROM "ats"."execution_rollup" WHERE step = 60 AND slot_at < now() - interval '47 hours';
