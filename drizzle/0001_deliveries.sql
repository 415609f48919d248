CREATE TABLE "ats"."delivery" (
	"project_no" integer NOT NULL,
	"delivery_id" text NOT NULL,
	"webhook_id" text NOT NULL,
	"group_id" text,
	"event" text NOT NULL,
	"body" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"failure_count" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp (6) with time zone NOT NULL,
	"created_at" timestamp (6) with time zone NOT NULL,
	"finished_at" timestamp (6) with time zone,
	"last_outcome" text,
	CONSTRAINT "delivery_project_no_delivery_id_pk" PRIMARY KEY("project_no","delivery_id"),
	CONSTRAINT "delivery_status_values" CHECK ("ats"."delivery"."status" in ('pending', 'delivering', 'delivered', 'failed', 'cancelled')),
	CONSTRAINT "delivery_finished_matches_status" CHECK (("ats"."delivery"."finished_at" is null) = ("ats"."delivery"."status" in ('pending', 'delivering')))
);
--> statement-breakpoint
CREATE TABLE "ats"."delivery_attempt" (
	"project_no" integer NOT NULL,
	"delivery_id" text NOT NULL,
	"attempt_no" integer NOT NULL,
	"started_at" timestamp (6) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status_code" smallint,
	"error_class" text,
	"remote_address" text,
	"response_excerpt" text,
	"request_headers" json,
	CONSTRAINT "delivery_attempt_project_no_delivery_id_attempt_no_pk" PRIMARY KEY("project_no","delivery_id","attempt_no")
);
--> statement-breakpoint
ALTER TABLE "ats"."delivery" ADD CONSTRAINT "delivery_webhook_fk" FOREIGN KEY ("project_no","webhook_id") REFERENCES "ats"."webhook"("project_no","webhook_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ats"."delivery_attempt" ADD CONSTRAINT "delivery_attempt_delivery_fk" FOREIGN KEY ("project_no","delivery_id") REFERENCES "ats"."delivery"("project_no","delivery_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "delivery_delivery_id" ON "ats"."delivery" USING btree ("delivery_id");--> statement-breakpoint
CREATE INDEX "delivery_owed" ON "ats"."delivery" USING btree ("project_no","webhook_id","due_at") WHERE "ats"."delivery"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "delivery_created" ON "ats"."delivery" USING btree ("project_no","created_at");--> statement-breakpoint
CREATE INDEX "delivery_webhook" ON "ats"."delivery" USING btree ("project_no","webhook_id");--> statement-breakpoint
CREATE INDEX "delivery_finished" ON "ats"."delivery" USING btree ("finished_at") WHERE "ats"."delivery"."finished_at" is not null;