ALTER TABLE "events" DROP CONSTRAINT "events_session_sessions_id_fk";--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY "stems_danish" (TEMPLATE = snowball, LANGUAGE = danish);--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY "stems_german" (TEMPLATE = snowball, LANGUAGE = german);--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY "stems_english" (TEMPLATE = snowball, LANGUAGE = english);--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY "stems_spanish" (TEMPLATE = snowball, LANGUAGE = spanish);--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY "stems_finnish" (TEMPLATE = snowball, LANGUAGE = finnish);--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY "stems_french" (TEMPLATE = snowball, LANGUAGE = french);--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY "stems_hungarian" (TEMPLATE = snowball, LANGUAGE = hungarian);--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY "stems_italian" (TEMPLATE = snowball, LANGUAGE = italian);--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY "stems_dutch" (TEMPLATE = snowball, LANGUAGE = dutch);--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY "stems_norwegian" (TEMPLATE = snowball, LANGUAGE = norwegian);--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY "stems_portuguese" (TEMPLATE = snowball, LANGUAGE = portuguese);--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY "stems_romanian" (TEMPLATE = snowball, LANGUAGE = romanian);--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY "stems_russian" (TEMPLATE = snowball, LANGUAGE = russian);--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY "stems_swedish" (TEMPLATE = snowball, LANGUAGE = swedish);--> statement-breakpoint
CREATE TEXT SEARCH DICTIONARY "stems_turkish" (TEMPLATE = snowball, LANGUAGE = turkish);--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION "stems_danish" (COPY = pg_catalog.danish);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION "stems_danish" ALTER MAPPING REPLACE danish_stem WITH "stems_danish";--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION "stems_german" (COPY = pg_catalog.german);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION "stems_german" ALTER MAPPING REPLACE german_stem WITH "stems_german";--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION "stems_english" (COPY = pg_catalog.english);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION "stems_english" ALTER MAPPING REPLACE english_stem WITH "stems_english";--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION "stems_spanish" (COPY = pg_catalog.spanish);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION "stems_spanish" ALTER MAPPING REPLACE spanish_stem WITH "stems_spanish";--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION "stems_finnish" (COPY = pg_catalog.finnish);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION "stems_finnish" ALTER MAPPING REPLACE finnish_stem WITH "stems_finnish";--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION "stems_french" (COPY = pg_catalog.french);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION "stems_french" ALTER MAPPING REPLACE french_stem WITH "stems_french";--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION "stems_hungarian" (COPY = pg_catalog.hungarian);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION "stems_hungarian" ALTER MAPPING REPLACE hungarian_stem WITH "stems_hungarian";--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION "stems_italian" (COPY = pg_catalog.italian);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION "stems_italian" ALTER MAPPING REPLACE italian_stem WITH "stems_italian";--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION "stems_dutch" (COPY = pg_catalog.dutch);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION "stems_dutch" ALTER MAPPING REPLACE dutch_stem WITH "stems_dutch";--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION "stems_norwegian" (COPY = pg_catalog.norwegian);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION "stems_norwegian" ALTER MAPPING REPLACE norwegian_stem WITH "stems_norwegian";--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION "stems_portuguese" (COPY = pg_catalog.portuguese);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION "stems_portuguese" ALTER MAPPING REPLACE portuguese_stem WITH "stems_portuguese";--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION "stems_romanian" (COPY = pg_catalog.romanian);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION "stems_romanian" ALTER MAPPING REPLACE romanian_stem WITH "stems_romanian";--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION "stems_russian" (COPY = pg_catalog.russian);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION "stems_russian" ALTER MAPPING REPLACE russian_stem WITH "stems_russian";--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION "stems_russian" ALTER MAPPING REPLACE english_stem WITH "stems_english";--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION "stems_swedish" (COPY = pg_catalog.swedish);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION "stems_swedish" ALTER MAPPING REPLACE swedish_stem WITH "stems_swedish";--> statement-breakpoint
CREATE TEXT SEARCH CONFIGURATION "stems_turkish" (COPY = pg_catalog.turkish);--> statement-breakpoint
ALTER TEXT SEARCH CONFIGURATION "stems_turkish" ALTER MAPPING REPLACE turkish_stem WITH "stems_turkish";--> statement-breakpoint
ALTER TABLE "sessions" ALTER COLUMN "words" DROP EXPRESSION;--> statement-breakpoint
UPDATE "sessions" SET "words" = to_tsvector((CASE "language" WHEN 'da' THEN 'stems_danish' WHEN 'de' THEN 'stems_german' WHEN 'en' THEN 'stems_english' WHEN 'es' THEN 'stems_spanish' WHEN 'fi' THEN 'stems_finnish' WHEN 'fr' THEN 'stems_french' WHEN 'hu' THEN 'stems_hungarian' WHEN 'it' THEN 'stems_italian' WHEN 'nl' THEN 'stems_dutch' WHEN 'no' THEN 'stems_norwegian' WHEN 'pt' THEN 'stems_portuguese' WHEN 'ro' THEN 'stems_romanian' WHEN 'ru' THEN 'stems_russian' WHEN 'sv' THEN 'stems_swedish' WHEN 'tr' THEN 'stems_turkish' ELSE 'simple' END)::regconfig, "text");--> statement-breakpoint
ALTER TABLE "sessions" ALTER COLUMN "words" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ALTER COLUMN "words" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "sessions" DROP COLUMN "language";--> statement-breakpoint
ALTER TABLE "sessions" DROP COLUMN "text";