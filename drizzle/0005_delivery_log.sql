DROP INDEX "ats"."delivery_webhook";--> statement-breakpoint
CREATE INDEX "delivery_log" ON "ats"."delivery" USING btree ("project_no","webhook_id","created_at","delivery_id");