CREATE TABLE IF NOT EXISTS "files" (
	"session" text NOT NULL,
	"sha256" text NOT NULL,
	"media" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "files_session_sha256_pk" PRIMARY KEY("session","sha256")
);
