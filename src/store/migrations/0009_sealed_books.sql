-- That a sealed book was opened says nothing any more, but it has its place in the log. LIKE, because an event may have NUL characters, which nothing reads as JSON here.
UPDATE "events" SET "event" = json_build_object('type', 'calls-begun', 'calls', '[]'::json, 'position', "position", 'at', "event"->>'at')
WHERE "session" IN (SELECT "id" FROM "sessions" WHERE "book" IS NOT NULL) AND "event"::text LIKE '%"type":"book-opened"%';--> statement-breakpoint
ALTER TABLE "sessions" ALTER COLUMN "book" SET DATA TYPE boolean USING nullif("book" IS NOT NULL, false);
