-- CreateEnum
CREATE TYPE "ExportKind" AS ENUM ('LEDGER', 'USERS', 'PLAYS', 'CODES', 'TICKETS', 'DELIVERIES');

-- CreateEnum
CREATE TYPE "ExportFormat" AS ENUM ('JSONL', 'CSV');

-- CreateEnum
CREATE TYPE "ExportStatus" AS ENUM ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED');

-- CreateTable
CREATE TABLE "data_export" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "kind" "ExportKind" NOT NULL,
    "format" "ExportFormat" NOT NULL,
    "status" "ExportStatus" NOT NULL DEFAULT 'QUEUED',
    "code_batch_id" UUID,
    "created_from" TIMESTAMPTZ(3),
    "created_to" TIMESTAMPTZ(3),
    "place" JSON,
    "rows" BIGINT NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "text_bytes" BIGINT NOT NULL DEFAULT 0,
    "checksum" BIGINT NOT NULL DEFAULT 0,
    "chunks" INTEGER NOT NULL DEFAULT 0,
    "member_id" UUID,
    "api_key_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "data_export_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "export_chunk" (
    "export_id" UUID NOT NULL,
    "chunk_no" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "export_chunk_pkey" PRIMARY KEY ("export_id","chunk_no")
);

-- CreateIndex
CREATE INDEX "data_export_partner_id_environment_id_idx" ON "data_export"("partner_id", "environment", "id");

-- AddForeignKey
ALTER TABLE "export_chunk" ADD CONSTRAINT "export_chunk_export_id_fkey" FOREIGN KEY ("export_id") REFERENCES "data_export"("id") ON DELETE CASCADE ON UPDATE CASCADE;
