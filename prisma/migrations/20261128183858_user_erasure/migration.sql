-- CreateTable
CREATE TABLE "user_erasure" (
    "user_id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "pseudonym" TEXT NOT NULL,
    "holders" JSON NOT NULL,
    "reached_at" TIMESTAMPTZ(3),
    "reached_id" UUID,
    "is_walked" BOOLEAN NOT NULL DEFAULT false,
    "erased_count" INTEGER NOT NULL DEFAULT 0,
    "events_left" INTEGER,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "user_erasure_pkey" PRIMARY KEY ("user_id")
);

-- CreateIndex
CREATE INDEX "user_erasure_finished_at_requested_at_idx" ON "user_erasure"("finished_at", "requested_at");

-- AddForeignKey
ALTER TABLE "user_erasure" ADD CONSTRAINT "user_erasure_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "end_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
