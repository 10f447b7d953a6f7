-- AlterTable
ALTER TABLE "play" ADD COLUMN     "mechanic_version" INTEGER;

-- CreateTable
CREATE TABLE "game_mechanic_version" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "mechanic_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "points_to_unlock" INTEGER NOT NULL,
    "image_url" TEXT,
    "status" "MechanicStatus" NOT NULL,
    "segments" INTEGER NOT NULL,
    "rewards" JSON NOT NULL,
    "expected_payout" BIGINT NOT NULL,
    "member_id" UUID,
    "api_key_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "game_mechanic_version_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "game_mechanic_version_mechanic_id_version_key" ON "game_mechanic_version"("mechanic_id", "version");

-- AddForeignKey
ALTER TABLE "game_mechanic_version" ADD CONSTRAINT "game_mechanic_version_mechanic_id_fkey" FOREIGN KEY ("mechanic_id") REFERENCES "game_mechanic"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What is known of the past: each mechanic as it is now. A trigger keeps what follows.
INSERT INTO "game_mechanic_version" ("id", "partner_id", "environment", "mechanic_id", "version", "name", "description",
    "points_to_unlock", "image_url", "status", "segments", "rewards", "expected_payout", "created_at")
SELECT gen_random_uuid(), "partner_id", "environment", "id", "version", "name", "description", "points_to_unlock",
    "image_url", "status", "segments", "rewards",
    (SELECT round(1000 * sum(CASE WHEN "type" = 'points' THEN "value" * "weight" ELSE 0 END) / sum("weight"))
        FROM json_to_recordset("rewards") AS r ("type" TEXT, "value" BIGINT, "weight" BIGINT)),
    "updated_at"
FROM "game_mechanic";
