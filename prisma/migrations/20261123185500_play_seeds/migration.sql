-- AlterTable
ALTER TABLE "end_user" ADD COLUMN     "client_seed" TEXT,
ADD COLUMN     "seed_no" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "play" ADD COLUMN     "seed_no" INTEGER;

-- CreateTable
CREATE TABLE "play_seed" (
    "user_id" UUID NOT NULL,
    "seed_no" INTEGER NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "client_seed" TEXT,
    "is_erased" BOOLEAN NOT NULL DEFAULT false,
    "revealed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "play_seed_pkey" PRIMARY KEY ("user_id","seed_no")
);

-- AddForeignKey
ALTER TABLE "play_seed" ADD CONSTRAINT "play_seed_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
