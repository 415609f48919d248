ALTER TABLE "ats"."member" ADD COLUMN "last_seen_at" timestamp (6) with time zone;--> statement-breakpoint
UPDATE "ats"."member" m SET last_seen_at = s.seen
	FROM (SELECT member_id, max(updated_at) AS seen FROM "ats"."session" GROUP BY member_id) s WHERE s.member_id = m.member_id;
