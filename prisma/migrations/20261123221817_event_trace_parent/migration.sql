-- AlterTable
ALTER TABLE "event" ADD COLUMN     "trace_parent" TEXT;
