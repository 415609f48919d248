ALTER TABLE "ats"."failure_group" ADD COLUMN "acted_at" timestamp (6) with time zone;--> statement-breakpoint
ALTER TABLE "ats"."failure_group" ADD COLUMN "acted_by" text;