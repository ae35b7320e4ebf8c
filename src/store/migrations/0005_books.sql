ALTER TABLE "sessions" ADD COLUMN "book" text;--> statement-breakpoint
CREATE INDEX "sessions_books" ON "sessions" USING btree ("book") WHERE "sessions"."book" IS NOT NULL;