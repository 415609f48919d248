DROP INDEX "ats"."delivery_owed";--> statement-breakpoint
ALTER TABLE "ats"."delivery" ADD COLUMN "rank" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ats"."webhook" ADD COLUMN "held_until" timestamp (6) with time zone;--> statement-breakpoint
-- What was owed before is no first try any more where it has failed, or is due at another time than that of its making: it was queued again.
UPDATE "ats"."delivery" SET "rank" = 1 WHERE "finished_at" is null AND "status" = 'pending' AND ("failure_count" > 0 OR "due_at" > "created_at");--> statement-breakpoint
CREATE INDEX "delivery_owed" ON "ats"."delivery" USING btree ("project_no","webhook_id","rank","due_at") WHERE "ats"."delivery"."finished_at" is null;
