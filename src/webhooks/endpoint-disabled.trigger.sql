-- Writes the entry of the audit log when the service disables an endpoint because its receiver fails. A mutation sets
-- `tessera.audit` and writes its own entry.
CREATE OR REPLACE FUNCTION note_disabled_endpoint() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_entry (id, partner_id, environment, at, actor_kind, address, request_id, action, target_type,
    target_id, changes)
  SELECT gen_random_uuid(), NEW.partner_id, NEW.environment, now(), 'SYSTEM', '', '', 'updateWebhookEndpoint',
    'WebhookEndpoint', NEW.id, json_agg(json_build_object('table', TG_TABLE_NAME, 'id', NEW.id, 'field', field,
      'from', was, 'to', becomes) ORDER BY field)
  FROM (VALUES ('disabled_reason', OLD.disabled_reason, NEW.disabled_reason),
    ('status', OLD.status::text, NEW.status::text)) c (field, was, becomes)
  WHERE was IS DISTINCT FROM becomes;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER webhook_endpoint_disabled AFTER UPDATE OF status ON "webhook_endpoint"
  FOR EACH ROW WHEN (OLD.status = 'ACTIVE' AND NEW.status = 'DISABLED'
    AND coalesce(current_setting('tessera.audit', true), '') = '')
  EXECUTE FUNCTION note_disabled_endpoint();
