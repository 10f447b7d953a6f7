-- Who invited a person, for the page on which they join.
ALTER TABLE "invitation" ADD COLUMN "invited_by_id" UUID;
