ALTER TABLE "sessions" ADD COLUMN IF NOT EXISTS "parent" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN IF NOT EXISTS "link" text;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sessions_parent" ON "sessions" USING btree ("parent");