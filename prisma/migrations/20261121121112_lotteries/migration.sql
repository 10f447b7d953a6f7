-- CreateEnum
CREATE TYPE "LotteryStatus" AS ENUM ('DRAFT', 'ACTIVE', 'PAUSED', 'COMPLETED', 'EXPIRED');

-- CreateEnum
CREATE TYPE "LotteryFrequency" AS ENUM ('DAILY', 'WEEKLY', 'MONTHLY', 'CUSTOM');

-- CreateEnum
CREATE TYPE "DrawStatus" AS ENUM ('SCHEDULED', 'OPEN', 'CLOSED', 'DRAWING', 'COMPLETED', 'CANCELLED');

-- CreateEnum
CREATE TYPE "EntryMethod" AS ENUM ('PARTNER_API');

-- CreateTable
CREATE TABLE "lottery" (
    "id" UUID NOT NULL,
    "partner_id" UUID,
    "environment" "Environment" NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "status" "LotteryStatus" NOT NULL,
    "frequency" "LotteryFrequency" NOT NULL,
    "rules" JSON NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "first_closes_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3),
    "draw_delay_seconds" INTEGER NOT NULL,
    "draws" INTEGER NOT NULL DEFAULT 0,
    "tickets" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "lottery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lottery_draw" (
    "id" UUID NOT NULL,
    "lottery_id" UUID NOT NULL,
    "partner_id" UUID,
    "environment" "Environment" NOT NULL,
    "draw_no" INTEGER NOT NULL,
    "status" "DrawStatus" NOT NULL,
    "opens_at" TIMESTAMPTZ(3) NOT NULL,
    "closes_at" TIMESTAMPTZ(3) NOT NULL,
    "draws_at" TIMESTAMPTZ(3) NOT NULL,
    "rules" TEXT,
    "commitment" BYTEA,
    "sealed_seed" BYTEA,
    "seed" BYTEA,
    "tickets" INTEGER NOT NULL DEFAULT 0,
    "cancelled" INTEGER NOT NULL DEFAULT 0,
    "root" BYTEA,
    "main" INTEGER[],
    "bonus" INTEGER[],
    "settled" INTEGER NOT NULL DEFAULT 0,
    "pot_cents" BIGINT,
    "payout_cents" BIGINT,
    "results" JSON,
    "opened_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "drawn_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "lottery_draw_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lottery_ticket" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "lottery_id" UUID NOT NULL,
    "draw_id" UUID NOT NULL,
    "ticket_no" INTEGER NOT NULL,
    "entry_no" INTEGER NOT NULL,
    "ticket_ref" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "external_user_id" TEXT,
    "entry_method" "EntryMethod" NOT NULL,
    "lines" JSON NOT NULL,
    "line_count" SMALLINT NOT NULL,
    "masks" VARBIT NOT NULL,
    "salt" BYTEA NOT NULL,
    "holder" BYTEA NOT NULL,
    "leaf" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "cancelled_at" TIMESTAMPTZ(3),

    CONSTRAINT "lottery_ticket_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lottery_account" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "lottery_id" UUID NOT NULL,
    "entries" INTEGER NOT NULL,

    CONSTRAINT "lottery_account_pkey" PRIMARY KEY ("partner_id","environment","lottery_id")
);

-- CreateTable
CREATE TABLE "lottery_entrant" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "draw_id" UUID NOT NULL,
    "entrant" TEXT NOT NULL,
    "tickets" INTEGER NOT NULL,
    "max_tickets" INTEGER NOT NULL,

    CONSTRAINT "lottery_entrant_pkey" PRIMARY KEY ("partner_id","environment","draw_id","entrant")
);

-- CreateTable
CREATE TABLE "lottery_node" (
    "draw_id" UUID NOT NULL,
    "node_no" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "lottery_node_pkey" PRIMARY KEY ("draw_id","node_no")
);

-- CreateTable
CREATE TABLE "lottery_win" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "draw_id" UUID NOT NULL,
    "ticket_no" INTEGER NOT NULL,
    "line_no" SMALLINT NOT NULL,
    "tier_no" SMALLINT NOT NULL,
    "amount_cents" BIGINT,

    CONSTRAINT "lottery_win_pkey" PRIMARY KEY ("draw_id","ticket_no","line_no")
);

-- CreateIndex
CREATE INDEX "lottery_environment_slug_idx" ON "lottery"("environment", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "lottery_partner_id_environment_slug_key" ON "lottery"("partner_id", "environment", "slug") NULLS NOT DISTINCT;

-- CreateIndex
CREATE INDEX "lottery_draw_lottery_id_status_closes_at_idx" ON "lottery_draw"("lottery_id", "status", "closes_at");

-- CreateIndex
CREATE INDEX "lottery_draw_status_closes_at_idx" ON "lottery_draw"("status", "closes_at");

-- CreateIndex
CREATE UNIQUE INDEX "lottery_draw_lottery_id_draw_no_key" ON "lottery_draw"("lottery_id", "draw_no");

-- CreateIndex
CREATE UNIQUE INDEX "lottery_ticket_draw_id_ticket_no_key" ON "lottery_ticket"("draw_id", "ticket_no");

-- CreateIndex
CREATE UNIQUE INDEX "lottery_ticket_partner_id_environment_lottery_id_entry_no_key" ON "lottery_ticket"("partner_id", "environment", "lottery_id", "entry_no");

-- CreateIndex
CREATE UNIQUE INDEX "lottery_ticket_lottery_id_ticket_ref_key" ON "lottery_ticket"("lottery_id", "ticket_ref");

-- AddForeignKey
ALTER TABLE "lottery_draw" ADD CONSTRAINT "lottery_draw_lottery_id_fkey" FOREIGN KEY ("lottery_id") REFERENCES "lottery"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lottery_ticket" ADD CONSTRAINT "lottery_ticket_lottery_id_fkey" FOREIGN KEY ("lottery_id") REFERENCES "lottery"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lottery_ticket" ADD CONSTRAINT "lottery_ticket_draw_id_fkey" FOREIGN KEY ("draw_id") REFERENCES "lottery_draw"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lottery_account" ADD CONSTRAINT "lottery_account_lottery_id_fkey" FOREIGN KEY ("lottery_id") REFERENCES "lottery"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lottery_entrant" ADD CONSTRAINT "lottery_entrant_draw_id_fkey" FOREIGN KEY ("draw_id") REFERENCES "lottery_draw"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lottery_node" ADD CONSTRAINT "lottery_node_draw_id_fkey" FOREIGN KEY ("draw_id") REFERENCES "lottery_draw"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lottery_win" ADD CONSTRAINT "lottery_win_draw_id_ticket_no_fkey" FOREIGN KEY ("draw_id", "ticket_no") REFERENCES "lottery_ticket"("draw_id", "ticket_no") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Guards that hold whatever the code does.
ALTER TABLE "lottery"
    ADD CONSTRAINT "lottery_closes_after_start" CHECK ("first_closes_at" > "starts_at"),
    ADD CONSTRAINT "lottery_delay_not_negative" CHECK ("draw_delay_seconds" >= 0);
ALTER TABLE "lottery_draw"
    ADD CONSTRAINT "lottery_draw_times" CHECK ("opens_at" < "closes_at" AND "closes_at" <= "draws_at"),
    ADD CONSTRAINT "lottery_draw_published" CHECK ("status" IN ('SCHEDULED', 'CANCELLED')
        OR ("rules" IS NOT NULL AND "commitment" IS NOT NULL AND "sealed_seed" IS NOT NULL AND "opened_at" IS NOT NULL)),
    ADD CONSTRAINT "lottery_draw_seed_after_root" CHECK ("seed" IS NULL OR "root" IS NOT NULL),
    ADD CONSTRAINT "lottery_draw_seed_when_drawn" CHECK (("seed" IS NOT NULL) = ("status" IN ('DRAWING', 'COMPLETED'))),
    ADD CONSTRAINT "lottery_draw_seed_is_committed" CHECK ("seed" IS NULL OR sha256("seed") = "commitment"),
    ADD CONSTRAINT "lottery_draw_settled" CHECK ("settled" BETWEEN 0 AND "tickets"
        AND ("status" <> 'COMPLETED' OR ("settled" = "tickets" AND "payout_cents" IS NOT NULL))),
    ADD CONSTRAINT "lottery_draw_cancelled" CHECK ("cancelled" BETWEEN 0 AND "tickets");
ALTER TABLE "lottery_entrant"
    ADD CONSTRAINT "lottery_entrant_maximum" CHECK ("tickets" BETWEEN 0 AND "max_tickets");
ALTER TABLE "lottery_ticket"
    ADD CONSTRAINT "lottery_ticket_lines" CHECK ("line_count" BETWEEN 1 AND 10);

-- What was published stays as it was; a draw that is over stays over.
CREATE FUNCTION "refuse_draw_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD."status" IN ('COMPLETED', 'CANCELLED')
        OR (OLD."commitment" IS NOT NULL AND (NEW."commitment", NEW."rules") IS DISTINCT FROM (OLD."commitment", OLD."rules"))
        OR (OLD."root" IS NOT NULL AND NEW."root" IS DISTINCT FROM OLD."root")
        OR (OLD."status" NOT IN ('SCHEDULED', 'OPEN') AND (NEW."tickets", NEW."cancelled") IS DISTINCT FROM (OLD."tickets", OLD."cancelled"))
    THEN
        RAISE EXCEPTION 'what a draw has published cannot change' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER "lottery_draw_published_stays" BEFORE UPDATE ON "lottery_draw"
    FOR EACH ROW EXECUTE FUNCTION "refuse_draw_change"();
