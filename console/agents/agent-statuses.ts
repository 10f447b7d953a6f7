export const agentStatuses = ['DRAFT', 'ACTIVE', 'PAUSED', 'SUSPENDED', 'RETIRED'] as const
