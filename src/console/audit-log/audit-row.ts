import type { AuditLogQuery } from '../../generated/operations/types.ts'

export type AuditRow = AuditLogQuery['auditLog']['nodes'][number]
