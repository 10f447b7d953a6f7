-- The time zone in which people of a partner read and type times.
ALTER TABLE "partner" ADD COLUMN "time_zone" TEXT NOT NULL DEFAULT 'UTC';
