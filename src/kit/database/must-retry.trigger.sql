-- Ends a statement whose snapshot is outdated, so that it is retried (`retrying` in db.ts). It returns nothing.
CREATE OR REPLACE FUNCTION must_retry() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a row has changed while the statement waited for it' USING ERRCODE = 'serialization_failure';
END $$;
