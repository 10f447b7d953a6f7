-- A user who is blocked for fraud is on no leaderboard of a campaign until the block ends. The writer has locked the user, so
-- nobody else changes the participants.
CREATE OR REPLACE FUNCTION hide_participants() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  hidden timestamptz := CASE WHEN NEW.block_reason = 'FRAUD' THEN NEW.blocked_until END;
BEGIN
  UPDATE campaign_participant SET hidden_until = hidden
  WHERE user_id = NEW.id AND hidden_until IS DISTINCT FROM hidden;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER end_user_block_hides_participants AFTER UPDATE OF block_reason, blocked_until ON "end_user"
  FOR EACH ROW WHEN ((OLD.block_reason, OLD.blocked_until) IS DISTINCT FROM (NEW.block_reason, NEW.blocked_until))
  EXECUTE FUNCTION hide_participants();
