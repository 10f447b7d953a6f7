-- A day changes as often as its hours are moved into it.
CREATE TABLE "statistic_day" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "metric" TEXT NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "key" TEXT NOT NULL,
    "quarters" SMALLINT[] NOT NULL,
    "sums" BIGINT[] NOT NULL,

    CONSTRAINT "statistic_day_pkey" PRIMARY KEY ("partner_id","environment","metric","day","key"),
    CONSTRAINT "statistic_day_quarters" CHECK (cardinality("quarters") = cardinality("sums"))
) WITH (fillfactor = 80);

-- Hours that are over, of all shards.
DROP INDEX "statistic_unmerged";
CREATE INDEX "statistic_hour_idx" ON "statistic" ("hour");
