-- CreateEnum
CREATE TYPE "WebhookEndpointStatus" AS ENUM ('ACTIVE', 'DISABLED');

-- CreateEnum
CREATE TYPE "WebhookDeliveryStatus" AS ENUM ('PENDING', 'DELIVERED', 'FAILED');

-- DropIndex
DROP INDEX "event_partner_id_environment_id_idx";

-- AlterTable
ALTER TABLE "event" ADD COLUMN     "txid" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint;

-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "events" TEXT[],
    "status" "WebhookEndpointStatus" NOT NULL DEFAULT 'ACTIVE',
    "disabled_reason" TEXT,
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "status" "WebhookDeliveryStatus" NOT NULL DEFAULT 'PENDING',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "response_status" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempt" (
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "response_status" INTEGER,
    "response_body" TEXT,
    "error" TEXT,

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("delivery_id","number")
);

-- CreateIndex
CREATE INDEX "webhook_endpoint_partner_id_environment_id_idx" ON "webhook_endpoint"("partner_id", "environment", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_partner_id_environment_created_at_id_idx" ON "webhook_delivery"("partner_id", "environment", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_delivery_endpoint_id_event_id_key" ON "webhook_delivery"("endpoint_id", "event_id");

-- CreateIndex
CREATE INDEX "event_partner_id_environment_txid_id_idx" ON "event"("partner_id", "environment", "txid", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_created_at_idx" ON "webhook_delivery" USING BRIN ("created_at");

-- CreateIndex
CREATE INDEX "event_occurred_at_idx" ON "event" USING BRIN ("occurred_at");

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoint"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_delivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "webhook_endpoint" ALTER COLUMN "events" SET NOT NULL;

-- What a sender looks for, and what an owner looks for after trouble.
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery" ("endpoint_id", "next_attempt_at")
  WHERE "status" = 'PENDING';
CREATE INDEX "webhook_delivery_failed" ON "webhook_delivery"
  ("partner_id", "environment", "created_at" DESC, "id" DESC) WHERE "status" = 'FAILED';

-- Every event gets its deliveries in the statement that writes it, whoever writes it; after commit,
-- whoever listens is told to look. A `test` event is for one endpoint only, which its writer names.
CREATE FUNCTION announce_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_delivery (partner_id, environment, endpoint_id, event_id, event_type,
    next_attempt_at, created_at)
  SELECT e.partner_id, e.environment, w.id, e.id, e.type, e.occurred_at, e.occurred_at
  FROM new_event e JOIN webhook_endpoint w USING (partner_id, environment)
  WHERE w.status = 'ACTIVE' AND w.deleted_at IS NULL AND e.type <> 'test'
    AND w.events && ARRAY['*', split_part(e.type, '.', 1) || '.*', e.type];
  IF FOUND THEN
    PERFORM pg_notify('tessera', 'delivery');
  END IF;
  PERFORM pg_notify('tessera', 'event:' || partner_id || ':' || environment)
  FROM (SELECT DISTINCT partner_id, environment FROM new_event) t;
  RETURN NULL;
END $$;

CREATE TRIGGER event_announced AFTER INSERT ON "event"
  REFERENCING NEW TABLE AS new_event FOR EACH STATEMENT EXECUTE FUNCTION announce_events();
