DROP INDEX "ats"."execution_started_at";--> statement-breakpoint
DROP INDEX "ats"."delivery_created";--> statement-breakpoint
CREATE INDEX "detection_of_class" ON "ats"."detection" USING btree ("project_no","class","execution_no");--> statement-breakpoint
CREATE INDEX "execution_in_time" ON "ats"."execution" USING btree ("project_no","started_at","execution_no");--> statement-breakpoint
CREATE INDEX "delivery_created" ON "ats"."delivery" USING btree ("project_no","created_at","status");