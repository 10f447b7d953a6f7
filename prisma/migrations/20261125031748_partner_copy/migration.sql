-- CreateTable
CREATE TABLE "written_row" (
    "partner_id" UUID NOT NULL,
    "table_name" TEXT NOT NULL,
    "note_no" BIGSERIAL NOT NULL,
    "transaction" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "key" JSONB NOT NULL,

    CONSTRAINT "written_row_pkey" PRIMARY KEY ("partner_id","table_name","note_no")
);

-- CreateTable
CREATE TABLE "copied_table" (
    "partner_id" UUID NOT NULL,
    "table_name" TEXT NOT NULL,
    "noted_by" BIGINT NOT NULL,

    CONSTRAINT "copied_table_pkey" PRIMARY KEY ("partner_id","table_name")
);
