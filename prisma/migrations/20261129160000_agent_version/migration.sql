-- A change of an agent may state the version that it is based on.
ALTER TABLE "arena_agent" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
