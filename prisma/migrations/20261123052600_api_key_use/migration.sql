-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "created_by_id" UUID,
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3),
ADD COLUMN     "replaced_by_id" UUID;
