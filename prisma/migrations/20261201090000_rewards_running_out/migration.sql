-- Managers are warned before a reward is out of stock. The database generates the flag, so that a list can filter by it.
ALTER TABLE "reward"
    ADD COLUMN "is_running_out" BOOLEAN NOT NULL
        GENERATED ALWAYS AS ("stock" IS NOT NULL AND "grant_count"::bigint * 10 >= "stock"::bigint * 9) STORED;
