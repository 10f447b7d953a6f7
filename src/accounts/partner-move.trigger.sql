-- A partner who moves to another cell, or has moved, is not written to. `tessera partner move` makes triggers on all tables with
-- rows of a partner, which call this for the rows of that partner alone. Creating a trigger waits for the writers of the
-- table, so afterwards no transaction can add to what is copied, of whatever node or program it is.
CREATE OR REPLACE FUNCTION "refuse_moved_partner"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    home partner;
BEGIN
    -- Sign-ins and links to choose a password belong to the partner of their member.
    IF TG_ARGV[1] = 'of a member' THEN
        IF NOT EXISTS (
            SELECT FROM member m WHERE m.id = NEW.member_id AND m.partner_id = TG_ARGV[0]::uuid) THEN
            RETURN NEW;
        END IF;
    END IF;
    -- Requests are counted for several partners in one statement.
    IF TG_ARGV[1] = 'skipped' THEN
        RETURN NULL;
    END IF;
    SELECT * INTO home FROM partner WHERE id = TG_ARGV[0]::uuid;
    IF home.move = 'MOVED' THEN
        RAISE EXCEPTION '%', home.cell USING ERRCODE = 'TSCEL';
    END IF;
    RAISE EXCEPTION 'the partner is moving to another cell' USING ERRCODE = 'TSMOV';
END
$$;
