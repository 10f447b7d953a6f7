-- CreateTable
CREATE TABLE "master_key_version" (
    "version" INTEGER NOT NULL,
    "pepper" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "master_key_version_pkey" PRIMARY KEY ("version")
);

-- A database that was in use has hashes of codes that follow from its master key, which is version 1 now.
INSERT INTO "master_key_version" ("version") SELECT 1 WHERE EXISTS (SELECT FROM "partner");
