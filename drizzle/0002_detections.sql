CREATE TABLE "ats"."class_alert" (
	"project_no" integer NOT NULL,
	"class" text NOT NULL,
	"last_sent_at" timestamp (6) with time zone,
	CONSTRAINT "class_alert_project_no_class_pk" PRIMARY KEY("project_no","class")
);
--> statement-breakpoint
CREATE TABLE "ats"."detection" (
	"project_no" integer NOT NULL,
	"execution_no" bigint NOT NULL,
	"class" text NOT NULL,
	"dedup_key" text NOT NULL,
	"detection_id" text NOT NULL,
	"signature" text NOT NULL,
	"severity" text NOT NULL,
	"rule_ids" text[] NOT NULL,
	"score" real NOT NULL,
	"excerpt" text NOT NULL,
	"event_id" text,
	"evidence_event_ids" text[] NOT NULL,
	"detector_version" integer NOT NULL,
	"detected_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "detection_project_no_execution_no_class_dedup_key_pk" PRIMARY KEY("project_no","execution_no","class","dedup_key")
);
--> statement-breakpoint
CREATE TABLE "ats"."detection_hang" (
	"project_no" integer NOT NULL,
	"batch_no" bigint NOT NULL,
	"execution_no" bigint NOT NULL,
	"class" text NOT NULL,
	"hang_count" smallint NOT NULL,
	"last_hung_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "detection_hang_project_no_batch_no_execution_no_class_pk" PRIMARY KEY("project_no","batch_no","execution_no","class")
);
--> statement-breakpoint
CREATE TABLE "ats"."detector_memory" (
	"project_no" integer NOT NULL,
	"class" text NOT NULL,
	"key" text NOT NULL,
	"value" text NOT NULL,
	"updated_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "detector_memory_project_no_class_key_pk" PRIMARY KEY("project_no","class","key")
);
--> statement-breakpoint
CREATE TABLE "ats"."failure_group" (
	"project_no" integer NOT NULL,
	"group_id" text NOT NULL,
	"class" text NOT NULL,
	"signature" text NOT NULL,
	"severity" text NOT NULL,
	"firing_count" bigint NOT NULL,
	"first_seen_at" timestamp (6) with time zone NOT NULL,
	"last_seen_at" timestamp (6) with time zone NOT NULL,
	"sample_execution_ids" text[] NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"resolved_at" timestamp (6) with time zone,
	"regressed_at" timestamp (6) with time zone,
	"ignored_until" timestamp (6) with time zone,
	"ignored_firings_left" bigint,
	"merged_into" text,
	"last_sent_at" timestamp (6) with time zone,
	CONSTRAINT "failure_group_project_no_group_id_pk" PRIMARY KEY("project_no","group_id"),
	CONSTRAINT "failure_group_state_values" CHECK ("ats"."failure_group"."state" in ('open', 'resolved', 'ignored')),
	CONSTRAINT "failure_group_severity_values" CHECK ("ats"."failure_group"."severity" in ('low', 'medium', 'high', 'critical'))
);
--> statement-breakpoint
ALTER TABLE "ats"."class_alert" ADD CONSTRAINT "class_alert_project_no_project_project_no_fk" FOREIGN KEY ("project_no") REFERENCES "ats"."project"("project_no") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ats"."detector_memory" ADD CONSTRAINT "detector_memory_project_no_project_project_no_fk" FOREIGN KEY ("project_no") REFERENCES "ats"."project"("project_no") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ats"."failure_group" ADD CONSTRAINT "failure_group_project_no_project_project_no_fk" FOREIGN KEY ("project_no") REFERENCES "ats"."project"("project_no") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ats"."failure_group" ADD CONSTRAINT "failure_group_merged_into" FOREIGN KEY ("project_no","merged_into") REFERENCES "ats"."failure_group"("project_no","group_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "detection_id" ON "ats"."detection" USING btree ("project_no","detection_id");--> statement-breakpoint
CREATE INDEX "detection_recent" ON "ats"."detection" USING btree ("project_no","detected_at");--> statement-breakpoint
CREATE INDEX "detection_of_group" ON "ats"."detection" USING btree ("project_no","class","signature","detected_at");--> statement-breakpoint
CREATE UNIQUE INDEX "failure_group_identity" ON "ats"."failure_group" USING btree ("project_no","class","signature");--> statement-breakpoint
CREATE INDEX "failure_group_recent" ON "ats"."failure_group" USING btree ("project_no","last_seen_at");--> statement-breakpoint
CREATE INDEX "failure_group_aliases" ON "ats"."failure_group" USING btree ("project_no","merged_into") WHERE "ats"."failure_group"."merged_into" is not null;