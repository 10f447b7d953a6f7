-- Rejects or skips writes to the rows of a partner who moves to another cell, arrives, or has moved. `tessera partner
-- move` creates triggers on all tables with rows of a partner, which call this for the rows of that partner alone.
-- Creating a trigger waits for the writers of the table, so afterwards no transaction of any node or program can change
-- what is copied.
-- Arguments: the partner, what happens to a write, and until when.
CREATE OR REPLACE FUNCTION "refuse_moved_partner"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    home partner;
    is_free boolean;
BEGIN
    SELECT * INTO home FROM partner WHERE id = TG_ARGV[0]::uuid;
    is_free := TG_ARGV[2] = 'until opened' AND home.move IS NULL;
    -- Sign-ins and links to choose a password belong to the partner of their member.
    IF TG_ARGV[1] = 'of a member' AND NOT is_free THEN
        is_free := NOT EXISTS (SELECT FROM member m
            WHERE m.id = coalesce(NEW.member_id, OLD.member_id) AND m.partner_id = TG_ARGV[0]::uuid);
    END IF;
    IF is_free THEN
        RETURN coalesce(NEW, OLD);
    END IF;
    -- Requests are counted, and old rows are deleted, for several partners in one statement.
    IF TG_ARGV[1] = 'skipped' OR TG_ARGV[1] = 'of a member' AND TG_OP = 'DELETE' THEN
        RETURN NULL;
    END IF;
    IF home.move = 'MOVED' OR home.move = 'ARRIVING' AND home.cell IS NOT NULL THEN
        RAISE EXCEPTION '%', home.cell USING ERRCODE = 'TSCEL';
    END IF;
    RAISE EXCEPTION 'the partner is moving to another cell' USING ERRCODE = 'TSMOV';
END
$$;

-- Records which rows of a partner are written while they are copied to another cell. Arguments: the partner, the table,
-- and the columns of its primary key. The transaction that writes a row records it, so a snapshot has both or neither.
CREATE OR REPLACE FUNCTION "note_written_row"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    before jsonb;
    after jsonb;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        SELECT jsonb_object_agg(c, to_jsonb(OLD) -> c) INTO before FROM unnest(TG_ARGV[2:]) c;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        SELECT jsonb_object_agg(c, to_jsonb(NEW) -> c) INTO after FROM unnest(TG_ARGV[2:]) c;
    END IF;
    INSERT INTO written_row (partner_id, table_name, key)
    SELECT TG_ARGV[0]::uuid, TG_ARGV[1], key
    FROM (SELECT before UNION SELECT after) k (key) WHERE key IS NOT NULL;
    RETURN NULL;
END
$$;
