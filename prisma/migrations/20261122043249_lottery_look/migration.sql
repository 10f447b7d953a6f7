-- AlterTable
ALTER TABLE "lottery" ADD COLUMN     "logo_url" TEXT,
ADD COLUMN     "primary_color" TEXT;
