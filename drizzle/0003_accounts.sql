CREATE TABLE "ats"."account" (
	"account_id" text PRIMARY KEY NOT NULL,
	"member_id" text NOT NULL,
	"provider" text NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"password_hash" text,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp (6) with time zone,
	"refresh_token_expires_at" timestamp (6) with time zone,
	"scope" text,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (6) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ats"."account_link" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"member_id" text,
	"expires_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "account_link_purpose_values" CHECK ("ats"."account_link"."purpose" in ('setup', 'password')),
	CONSTRAINT "account_link_member_matches_purpose" CHECK (("ats"."account_link"."member_id" is null) = ("ats"."account_link"."purpose" = 'setup'))
);
--> statement-breakpoint
CREATE TABLE "ats"."cookie_secret" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"secret" text NOT NULL,
	CONSTRAINT "cookie_secret_only_row" CHECK ("ats"."cookie_secret"."only")
);
--> statement-breakpoint
CREATE TABLE "ats"."invitation" (
	"invitation_id" text PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"email" text,
	"role" text NOT NULL,
	"invited_by" text,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (6) with time zone NOT NULL,
	CONSTRAINT "invitation_role_values" CHECK ("ats"."invitation"."role" in ('viewer', 'member', 'owner'))
);
--> statement-breakpoint
CREATE TABLE "ats"."member" (
	"member_id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"role" text DEFAULT 'viewer' NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "member_role_values" CHECK ("ats"."member"."role" in ('viewer', 'member', 'owner')),
	CONSTRAINT "member_email_lower_case" CHECK ("ats"."member"."email" = lower("ats"."member"."email"))
);
--> statement-breakpoint
CREATE TABLE "ats"."session" (
	"session_id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"member_id" text NOT NULL,
	"expires_at" timestamp (6) with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (6) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ats"."verification" (
	"verification_id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp (6) with time zone NOT NULL,
	"created_at" timestamp (6) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (6) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ats"."account" ADD CONSTRAINT "account_member_id_member_member_id_fk" FOREIGN KEY ("member_id") REFERENCES "ats"."member"("member_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ats"."account_link" ADD CONSTRAINT "account_link_member_id_member_member_id_fk" FOREIGN KEY ("member_id") REFERENCES "ats"."member"("member_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ats"."invitation" ADD CONSTRAINT "invitation_invited_by_member_member_id_fk" FOREIGN KEY ("invited_by") REFERENCES "ats"."member"("member_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ats"."session" ADD CONSTRAINT "session_member_id_member_member_id_fk" FOREIGN KEY ("member_id") REFERENCES "ats"."member"("member_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_identity" ON "ats"."account" USING btree ("issuer","subject");--> statement-breakpoint
CREATE INDEX "account_member" ON "ats"."account" USING btree ("member_id");--> statement-breakpoint
CREATE UNIQUE INDEX "account_link_setup" ON "ats"."account_link" USING btree ("purpose") WHERE "ats"."account_link"."purpose" = 'setup';--> statement-breakpoint
CREATE UNIQUE INDEX "account_link_member" ON "ats"."account_link" USING btree ("member_id");--> statement-breakpoint
CREATE UNIQUE INDEX "invitation_token" ON "ats"."invitation" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "member_email" ON "ats"."member" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "session_token" ON "ats"."session" USING btree ("token");--> statement-breakpoint
CREATE INDEX "session_member" ON "ats"."session" USING btree ("member_id");--> statement-breakpoint
CREATE INDEX "session_expiry" ON "ats"."session" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "verification_identifier" ON "ats"."verification" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "verification_expiry" ON "ats"."verification" USING btree ("expires_at");