ALTER TABLE "sessions" ADD COLUMN "parent" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "link" text;--> statement-breakpoint
CREATE INDEX "sessions_parent" ON "sessions" USING btree ("parent");