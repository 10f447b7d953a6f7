-- Exports of events and of the audit log.
ALTER TYPE "ExportKind" ADD VALUE 'EVENTS';
ALTER TYPE "ExportKind" ADD VALUE 'AUDIT_LOG';
-- The feed of events, with the time of each as the last column, so that a list of a period reads only its own rows.
CREATE INDEX "event_partner_id_environment_position_occurred_at_idx" ON "event" ("partner_id", "environment", "position", "occurred_at");
DROP INDEX "event_partner_id_environment_position_idx";
