-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "allowed_networks" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "expires_at" TIMESTAMPTZ(3);
