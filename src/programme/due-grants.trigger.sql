-- Wakes the payer of every node after the commit of a grant that is to be paid or taken back. Of others, such as one that
-- is held, time alone makes something due: the payer finds them when it polls.
CREATE OR REPLACE FUNCTION announce_due_grants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM changed WHERE (status = 'READY' AND due_at = ready_at)
    OR (status = 'REVOKED' AND due_at IS NOT NULL)) THEN
    PERFORM announce('grant');
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER reward_grant_made AFTER INSERT ON "reward_grant"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_due_grants();
CREATE OR REPLACE TRIGGER reward_grant_changed AFTER UPDATE ON "reward_grant"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_due_grants();
