-- Users are never deleted, because their ledger never is. An erasure takes away what identifies them.
CREATE OR REPLACE FUNCTION refuse_user_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'users are never deleted' USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE TRIGGER end_user_not_deleted BEFORE DELETE ON "end_user"
  FOR EACH ROW EXECUTE FUNCTION refuse_user_deletion();
CREATE OR REPLACE TRIGGER end_user_not_truncated BEFORE TRUNCATE ON "end_user"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_user_deletion();
