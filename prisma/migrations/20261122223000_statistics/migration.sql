CREATE TYPE "statistic_fact" AS (
  "partner_id" UUID, "environment" "Environment", "metric" TEXT, "key" TEXT[], "occurred_at" TIMESTAMPTZ(3),
  "amount" BIGINT);

-- The sums change often, and no index holds them: room for versions on the same page.
CREATE TABLE "statistic" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "metric" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "key" TEXT NOT NULL,
    "shard" SMALLINT NOT NULL,
    "q1" BIGINT NOT NULL,
    "q2" BIGINT NOT NULL,
    "q3" BIGINT NOT NULL,
    "q4" BIGINT NOT NULL,

    CONSTRAINT "statistic_pkey" PRIMARY KEY ("partner_id","environment","metric","hour","key","shard")
) WITH (fillfactor = 70);

CREATE INDEX "statistic_unmerged" ON "statistic" ("hour") WHERE "shard" <> 0;
