-- Operators of the service become a property. Until now every member could do everything of their partner,
-- so all become owners and lose nothing.
ALTER TABLE "member" ADD COLUMN "is_operator" BOOLEAN NOT NULL DEFAULT false;
UPDATE "member" SET "is_operator" = true WHERE "role" = 'ADMIN';

ALTER TYPE "MemberRole" RENAME TO "MemberRole_old";
CREATE TYPE "MemberRole" AS ENUM ('OWNER', 'ADMIN', 'EDITOR', 'ANALYST', 'DEVELOPER');
ALTER TABLE "member" ALTER COLUMN "role" TYPE "MemberRole" USING 'OWNER'::"MemberRole";
DROP TYPE "MemberRole_old";

ALTER TABLE "api_key" ADD COLUMN "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- Code that does not know the roles would let every member do everything.
UPDATE "schema_compatibility" SET "compatible_from" = '20261123051000_roles';
