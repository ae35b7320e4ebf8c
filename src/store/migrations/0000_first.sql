CREATE TABLE "events" (
	"session" text NOT NULL,
	"position" integer NOT NULL,
	"event" json NOT NULL,
	CONSTRAINT "events_session_position_pk" PRIMARY KEY("session","position")
);
--> statement-breakpoint
CREATE TABLE "lineups" (
	"name" text PRIMARY KEY NOT NULL,
	"value" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"length" integer NOT NULL,
	"question" text NOT NULL,
	"opened_at" text NOT NULL,
	"protocol" text NOT NULL,
	"language" text,
	"models" text[] NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"outcome" text,
	"level" text,
	"line" text,
	"text" text NOT NULL,
	"words" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', "text") || CASE "language" WHEN 'da' THEN to_tsvector('danish', "text") WHEN 'de' THEN to_tsvector('german', "text") WHEN 'en' THEN to_tsvector('english', "text") WHEN 'es' THEN to_tsvector('spanish', "text") WHEN 'fi' THEN to_tsvector('finnish', "text") WHEN 'fr' THEN to_tsvector('french', "text") WHEN 'hu' THEN to_tsvector('hungarian', "text") WHEN 'it' THEN to_tsvector('italian', "text") WHEN 'nl' THEN to_tsvector('dutch', "text") WHEN 'no' THEN to_tsvector('norwegian', "text") WHEN 'pt' THEN to_tsvector('portuguese', "text") WHEN 'ro' THEN to_tsvector('romanian', "text") WHEN 'ru' THEN to_tsvector('russian', "text") WHEN 'sv' THEN to_tsvector('swedish', "text") WHEN 'tr' THEN to_tsvector('turkish', "text") ELSE ''::tsvector END) STORED
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" json NOT NULL
);
--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_session_sessions_id_fk" FOREIGN KEY ("session") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_newest" ON "sessions" USING btree ("opened_at" COLLATE "C" DESC,"id" COLLATE "C" DESC);--> statement-breakpoint
CREATE INDEX "sessions_words" ON "sessions" USING gin ("words");--> statement-breakpoint
CREATE INDEX "sessions_models" ON "sessions" USING gin ("models");--> statement-breakpoint
CREATE INDEX "sessions_tags" ON "sessions" USING gin ("tags");