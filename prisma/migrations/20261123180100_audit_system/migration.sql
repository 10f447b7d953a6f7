-- AlterEnum
ALTER TYPE "AuditActorKind" ADD VALUE 'SYSTEM';
