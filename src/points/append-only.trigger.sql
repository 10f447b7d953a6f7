-- The ledger is append-only: entries of wallets and of accounts.
CREATE OR REPLACE FUNCTION "refuse_ledger_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE OR REPLACE TRIGGER "ledger_entry_append_only" BEFORE UPDATE OR DELETE ON "ledger_entry"
    FOR EACH ROW EXECUTE FUNCTION "refuse_ledger_change"();
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
