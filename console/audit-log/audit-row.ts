import type { AuditLogQuery } from '../generated/types.ts'

export type AuditRow = AuditLogQuery['auditLog']['nodes'][number]
