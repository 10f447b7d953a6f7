-- Changes of these may state the version that they are based on.
ALTER TABLE "application" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "segment" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "webhook_endpoint" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "arena_game" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 1;
