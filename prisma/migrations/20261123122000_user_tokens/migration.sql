-- CreateEnum
CREATE TYPE "UserTokens" AS ENUM ('OPTIONAL', 'REQUIRED');

-- AlterTable
ALTER TABLE "application" ADD COLUMN     "user_token_jwks_url" TEXT,
ADD COLUMN     "user_token_keys" JSON,
ADD COLUMN     "user_tokens" "UserTokens" NOT NULL DEFAULT 'OPTIONAL';

-- CreateTable
CREATE TABLE "user_token_revocation" (
    "partner_id" UUID NOT NULL,
    "environment" "Environment" NOT NULL,
    "user_digest" BYTEA NOT NULL,
    "revoked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_token_revocation_pkey" PRIMARY KEY ("partner_id","environment","user_digest")
);
