CREATE TABLE "holds" (
	"id" text PRIMARY KEY NOT NULL,
	"session" text,
	"payers" text[] NOT NULL,
	"day" text NOT NULL,
	"made_at" bigint NOT NULL,
	"nanodollars" bigint NOT NULL,
	"tokens" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "spending" (
	"payer" text NOT NULL,
	"day" text NOT NULL,
	"nanodollars" bigint NOT NULL,
	"tokens" bigint NOT NULL,
	"calls" integer NOT NULL,
	CONSTRAINT "spending_payer_day_pk" PRIMARY KEY("payer","day")
);
