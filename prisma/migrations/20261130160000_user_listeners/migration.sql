-- The nodes that listen to changes of a user. Triggers announce changes of these users only.
CREATE TABLE "user_listener" (
    "user_id" UUID NOT NULL,
    "node_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_listener_pkey" PRIMARY KEY ("user_id","node_id")
);

CREATE INDEX "user_listener_expires_at_idx" ON "user_listener"("expires_at");
