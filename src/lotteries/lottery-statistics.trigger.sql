-- Counts tickets that were entered and the winnings that draws paid, by lottery.
CREATE OR REPLACE FUNCTION count_tickets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg(
    (partner_id, environment, 'LOTTERY_TICKETS', ARRAY[lottery_id::text], created_at, 1)::statistic_fact))
  FROM added;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER lottery_ticket_counted AFTER INSERT ON "lottery_ticket"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_tickets();

-- At the end of the statement that completes a draw, its winning lines are priced.
CREATE OR REPLACE FUNCTION count_winnings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_statistics(array_agg((partner_id, environment, 'LOTTERY_WINNINGS', ARRAY[NEW.lottery_id::text],
    NEW.completed_at, amount_cents)::statistic_fact))
  FROM lottery_win WHERE draw_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER lottery_draw_counted AFTER UPDATE OF "status" ON "lottery_draw"
  FOR EACH ROW WHEN (OLD.status <> 'COMPLETED' AND NEW.status = 'COMPLETED') EXECUTE FUNCTION count_winnings();
