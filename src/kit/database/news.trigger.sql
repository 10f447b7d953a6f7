-- Announces news of the current transaction: `topic:text`. pg_notify would do, but a transaction that has called it holds
-- a lock of the whole cluster from before its commit is flushed until after it, so committing connections would queue.
-- Instead the text goes to the client, in the message that a RAISE sends, and the client's node publishes it after the
-- commit (src/kit/database/notifications.ts). Readers poll for what a writer does not publish. INFO reaches the client whatever
-- `client_min_messages` says. Where `tessera.news` is `notify`, as in the embedded database, the transaction notifies.
CREATE OR REPLACE FUNCTION announce(news text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('tessera.news', true) = 'notify' THEN
    PERFORM pg_notify('tessera', news);
  ELSE
    RAISE INFO USING MESSAGE = news, ERRCODE = 'TNEWS';
  END IF;
END $$;
