-- Exports of the prizes of an instant win, and which rows of its kind an export has, beside their time and batch.
ALTER TYPE "ExportKind" ADD VALUE 'INSTANT_WINS';
ALTER TABLE "data_export" ADD COLUMN "filter" JSON;
