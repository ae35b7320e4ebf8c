UPDATE "sessions" SET "words" = "words" || to_tsvector('simple', left("question", 1000));
