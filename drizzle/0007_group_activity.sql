CREATE TABLE "ats"."group_activity" (
	"project_no" integer NOT NULL,
	"group_id" text NOT NULL,
	"step" integer NOT NULL,
	"slot_at" timestamp (6) with time zone NOT NULL,
	"firing_count" bigint NOT NULL,
	CONSTRAINT "group_activity_project_no_group_id_step_slot_at_pk" PRIMARY KEY("project_no","group_id","step","slot_at")
);
--> statement-breakpoint
ALTER TABLE "ats"."failure_group" ADD COLUMN "last_excerpt" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "ats"."failure_group" ADD COLUMN "last_rule_ids" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "ats"."group_activity" ADD CONSTRAINT "group_activity_group_fk" FOREIGN KEY ("project_no","group_id") REFERENCES "ats"."failure_group"("project_no","group_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "group_activity_short" ON "ats"."group_activity" USING btree ("slot_at") WHERE "ats"."group_activity"."step" = 300;--> statement-breakpoint
CREATE INDEX "delivery_of_group" ON "ats"."delivery" USING btree ("project_no","group_id","created_at") WHERE "ats"."delivery"."group_id" is not null;
--> statement-breakpoint
-- From here on: what Drizzle's schema language cannot say. Slots are counted up in place.
ALTER TABLE "ats"."group_activity" SET (fillfactor = 80);--> statement-breakpoint
-- What fired before this migration.
INSERT INTO "ats"."group_activity"
	SELECT d.project_no, g.group_id, s.step,
		date_bin(s.step * interval '1 second', d.detected_at, timestamptz 'epoch') AS slot_at, count(*)
	FROM ats.detection d
	JOIN ats.failure_group g ON g.project_no = d.project_no AND g.class = d.class AND g.signature = d.signature
	CROSS JOIN (VALUES (300), (3600)) s (step)
	WHERE s.step = 3600 OR d.detected_at > now() - interval '8 days'
	GROUP BY 1, 2, 3, 4;--> statement-breakpoint
UPDATE "ats"."failure_group" g SET (last_excerpt, last_rule_ids) = (
	SELECT d.excerpt, d.rule_ids FROM ats.detection d
	WHERE d.project_no = g.project_no AND d.class = g.class AND d.signature = g.signature
	ORDER BY d.detected_at DESC LIMIT 1)
WHERE EXISTS (
	SELECT FROM ats.detection d
	WHERE d.project_no = g.project_no AND d.class = g.class AND d.signature = g.signature);
