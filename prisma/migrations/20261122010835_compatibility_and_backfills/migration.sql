-- CreateTable
CREATE TABLE "schema_compatibility" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "compatible_from" TEXT NOT NULL,

    CONSTRAINT "schema_compatibility_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "schema_compatibility_one_row" CHECK ("id" = 1)
);
INSERT INTO "schema_compatibility" ("compatible_from") VALUES ('20261122010835_compatibility_and_backfills');

-- CreateTable
CREATE TABLE "backfill" (
    "name" TEXT NOT NULL,
    "statement" TEXT NOT NULL,
    "expected" BIGINT,
    "done" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "backfill_pkey" PRIMARY KEY ("name")
);

-- The first line of a migration that contracts: it must not take away what a backfill still reads.
CREATE FUNCTION require_backfill(wanted text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM backfill WHERE name = wanted AND finished_at IS NOT NULL) THEN
    RAISE EXCEPTION 'the backfill % has not finished: keep the version before running until it has', wanted;
  END IF;
END $$;
