CREATE TABLE "records" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"owner" text,
	"value" json NOT NULL,
	CONSTRAINT "records_kind_key_pk" PRIMARY KEY("kind","key")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "owner" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "visibility" text DEFAULT 'team' NOT NULL;--> statement-breakpoint
CREATE INDEX "records_owner" ON "records" USING btree ("kind","owner");--> statement-breakpoint
CREATE INDEX "records_newest" ON "records" USING btree ("kind","key" COLLATE "C" DESC);--> statement-breakpoint
CREATE INDEX "sessions_owner" ON "sessions" USING btree ("owner") WHERE "sessions"."owner" IS NOT NULL;--> statement-breakpoint
DROP INDEX "sessions_words";--> statement-breakpoint
CREATE INDEX "sessions_words" ON "sessions" USING gin ("words",(ARRAY["owner", CASE "visibility" WHEN 'team' THEN '*' END]));