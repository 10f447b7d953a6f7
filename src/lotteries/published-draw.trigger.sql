-- Rejects changes of published data, and of the status of a finished draw.
CREATE OR REPLACE FUNCTION "refuse_draw_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD."status" IN ('COMPLETED', 'CANCELLED')
        OR (OLD."commitment" IS NOT NULL AND (NEW."commitment", NEW."rules") IS DISTINCT FROM (OLD."commitment", OLD."rules"))
        OR (OLD."root" IS NOT NULL AND NEW."root" IS DISTINCT FROM OLD."root")
        OR (OLD."status" NOT IN ('SCHEDULED', 'OPEN') AND (NEW."tickets", NEW."cancelled") IS DISTINCT FROM (OLD."tickets", OLD."cancelled"))
    THEN
        RAISE EXCEPTION 'what a draw has published cannot change' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER "lottery_draw_published_stays" BEFORE UPDATE ON "lottery_draw"
    FOR EACH ROW EXECUTE FUNCTION "refuse_draw_change"();
