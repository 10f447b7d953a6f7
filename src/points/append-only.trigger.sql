-- The ledger is append-only: entries of wallets and of accounts. Only entries that a checkpoint covers can be deleted.
CREATE OR REPLACE FUNCTION "refuse_ledger_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE OR REPLACE FUNCTION "refuse_unarchived_deletion"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM deleted d LEFT JOIN ledger_checkpoint c USING (user_id)
               WHERE d.entry_no > coalesce(c.entries, 0)) THEN
        RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER "ledger_entry_append_only" BEFORE UPDATE ON "ledger_entry"
    FOR EACH ROW EXECUTE FUNCTION "refuse_ledger_change"();
CREATE OR REPLACE TRIGGER "ledger_entry_archived" AFTER DELETE ON "ledger_entry"
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION "refuse_unarchived_deletion"();
CREATE OR REPLACE TRIGGER "ledger_entry_not_truncated" BEFORE TRUNCATE ON "ledger_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
CREATE OR REPLACE TRIGGER "account_entry_append_only" BEFORE UPDATE OR DELETE ON "account_entry"
    FOR EACH ROW EXECUTE FUNCTION "refuse_ledger_change"();
CREATE OR REPLACE TRIGGER "account_entry_not_truncated" BEFORE TRUNCATE ON "account_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();

-- The author of a manual entry is kept with it. Only the reason is removed, when the user is erased.
CREATE OR REPLACE FUNCTION "refuse_correction_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF NEW.reason IS NULL AND to_jsonb(NEW) - 'reason' = to_jsonb(OLD) - 'reason' THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'corrections of the ledger are append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE OR REPLACE TRIGGER "ledger_correction_append_only" BEFORE UPDATE OR DELETE ON "ledger_correction"
    FOR EACH ROW EXECUTE FUNCTION "refuse_correction_change"();
CREATE OR REPLACE TRIGGER "ledger_correction_not_truncated" BEFORE TRUNCATE ON "ledger_correction"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_correction_change"();

-- A checkpoint can only cover more entries, never fewer. References of archived entries are kept.
CREATE OR REPLACE FUNCTION "refuse_checkpoint_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF NEW.entries > OLD.entries AND NEW.user_id = OLD.user_id THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'checkpoints of the ledger only grow' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE OR REPLACE TRIGGER "ledger_checkpoint_grows" BEFORE UPDATE OR DELETE ON "ledger_checkpoint"
    FOR EACH ROW EXECUTE FUNCTION "refuse_checkpoint_change"();
CREATE OR REPLACE TRIGGER "ledger_checkpoint_not_truncated" BEFORE TRUNCATE ON "ledger_checkpoint"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_checkpoint_change"();
CREATE OR REPLACE TRIGGER "archived_reference_kept" BEFORE UPDATE OR DELETE ON "archived_reference"
    FOR EACH ROW EXECUTE FUNCTION "refuse_ledger_change"();
CREATE OR REPLACE TRIGGER "archived_reference_not_truncated" BEFORE TRUNCATE ON "archived_reference"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();

-- Below the highest archived reference, awards look theirs up. If it fell, a reference could award twice.
CREATE OR REPLACE FUNCTION "refuse_lower_reference"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF NEW.reference COLLATE "C" >= OLD.reference AND to_jsonb(NEW) - 'reference' = to_jsonb(OLD) - 'reference' THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'the highest archived reference only rises' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE OR REPLACE TRIGGER "highest_archived_reference_rises" BEFORE UPDATE OR DELETE ON "highest_archived_reference"
    FOR EACH ROW EXECUTE FUNCTION "refuse_lower_reference"();
CREATE OR REPLACE TRIGGER "highest_archived_reference_not_truncated" BEFORE TRUNCATE ON "highest_archived_reference"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
