-- Users and partners get time zones, with their history, so that dates of the past never change. Without a row, it is UTC,
-- as it was before.
ALTER TABLE "user_profile"
    ADD COLUMN "time_zone" TEXT,
    ADD COLUMN "time_zone_since" TIMESTAMPTZ(3),
    ADD COLUMN "time_zone_not_before" DATE,
    ADD COLUMN "time_zone_by_secret" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "user_time_zone" (
    "user_id" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "zone" TEXT,
    "by_secret" BOOLEAN NOT NULL,
    "not_before" DATE,

    CONSTRAINT "user_time_zone_pkey" PRIMARY KEY ("user_id","since")
);

CREATE TABLE "partner_time_zone" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "zone" TEXT NOT NULL,
    "not_before" DATE NOT NULL,

    CONSTRAINT "partner_time_zone_pkey" PRIMARY KEY ("partner_id","environment","since")
);

ALTER TABLE "user_time_zone" ADD CONSTRAINT "user_time_zone_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "user_profile"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;
