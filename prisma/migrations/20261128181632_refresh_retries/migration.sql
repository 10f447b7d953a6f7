-- AlterTable
ALTER TABLE "sign_in" ADD COLUMN     "refreshed_from" TEXT;
