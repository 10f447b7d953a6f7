-- AlterEnum
ALTER TYPE "ArenaResultPolicy" ADD VALUE 'SERVER';

-- CreateTable
CREATE TABLE "arena_acceptance" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL DEFAULT 'LIVE',
    "game_id" UUID NOT NULL,
    "entry_fee" INTEGER NOT NULL,
    "developer_revenue_share" INTEGER NOT NULL,
    "result_policy" "ArenaResultPolicy" NOT NULL,
    "max_points_in_per_day" INTEGER NOT NULL,
    "max_points_out_per_day" INTEGER NOT NULL,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL,
    "withdrawn_at" TIMESTAMPTZ(3),

    CONSTRAINT "arena_acceptance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "arena_flow" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL DEFAULT 'LIVE',
    "game_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "points_in" INTEGER NOT NULL,
    "points_out" INTEGER NOT NULL,
    "max_in" INTEGER NOT NULL,
    "max_out" INTEGER NOT NULL,

    CONSTRAINT "arena_flow_pkey" PRIMARY KEY ("partner_id","game_id","day")
);

-- CreateIndex
CREATE INDEX "arena_acceptance_partner_id_environment_id_idx" ON "arena_acceptance"("partner_id", "environment", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "arena_acceptance_partner_id_game_id_key" ON "arena_acceptance"("partner_id", "game_id");

-- AddForeignKey
ALTER TABLE "arena_acceptance" ADD CONSTRAINT "arena_acceptance_game_id_fkey" FOREIGN KEY ("game_id") REFERENCES "arena_game"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "arena_flow" ADD CONSTRAINT "arena_flow_partner_id_game_id_fkey" FOREIGN KEY ("partner_id", "game_id") REFERENCES "arena_acceptance"("partner_id", "game_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema language cannot say.

-- (`SERVER` cannot be named before this transaction ends.)
ALTER TABLE "arena_acceptance"
    ADD CONSTRAINT "arena_acceptance_live" CHECK ("environment" = 'LIVE'),
    ADD CONSTRAINT "arena_acceptance_terms" CHECK ("entry_fee" > 0 AND "result_policy" NOT IN ('OPEN', 'TOKEN')),
    ADD CONSTRAINT "arena_acceptance_caps" CHECK ("max_points_in_per_day" >= 0 AND "max_points_out_per_day" >= 0);
ALTER TABLE "arena_flow"
    ADD CONSTRAINT "arena_flow_live" CHECK ("environment" = 'LIVE'),
    ADD CONSTRAINT "arena_flow_in" CHECK (0 <= "points_in" AND "points_in" <= "max_in"),
    ADD CONSTRAINT "arena_flow_out" CHECK (0 <= "points_out" AND "points_out" <= "max_out");
