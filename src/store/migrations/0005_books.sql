ALTER TABLE "sessions" ADD COLUMN IF NOT EXISTS "book" text;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sessions_books" ON "sessions" USING btree ("book") WHERE "sessions"."book" IS NOT NULL;