-- CreateTable
CREATE TABLE "highest_archived_reference" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "event_type" TEXT NOT NULL,
    "reference" TEXT NOT NULL,

    CONSTRAINT "highest_archived_reference_pkey" PRIMARY KEY ("partner_id","environment","event_type")
);

-- References that were archived before are below this one, whatever they are.
INSERT INTO "highest_archived_reference" ("partner_id", "environment", "event_type", "reference")
SELECT DISTINCT "partner_id", "environment", "event_type", repeat(E'\U0010FFFF', 255)
FROM "archived_account" WHERE "with_reference" > 0;
