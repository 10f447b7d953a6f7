-- AlterTable
ALTER TABLE "arena_session" ADD COLUMN     "is_public" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "arena_session_move" (
    "session_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "player_id" UUID NOT NULL,
    "reference" TEXT,
    "data" JSON NOT NULL,
    "total_bytes" INTEGER NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "arena_session_move_pkey" PRIMARY KEY ("session_id","seq")
);

-- CreateIndex
CREATE INDEX "arena_session_move_player_id_seq_idx" ON "arena_session_move"("player_id", "seq" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "arena_session_move_player_id_reference_key" ON "arena_session_move"("player_id", "reference");

-- AddForeignKey
ALTER TABLE "arena_session_move" ADD CONSTRAINT "arena_session_move_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "arena_session"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The sessions that have moves.
CREATE INDEX "arena_session_move_first" ON "arena_session_move" ("session_id") WHERE "seq" = 1;
