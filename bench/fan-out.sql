-- A transaction that writes one event.
INSERT INTO event (id, partner_id, environment, type, data, occurred_at)
VALUES (gen_random_uuid(), :tenant::uuid, 'TEST', 'lottery.draw_completed', '{"drawId":"bench"}', now());
