import type { ExportRowFilter, GrantFilter } from '../generated/types.ts'

/** The filter of a list of grants, as exports take it. */
export const grantExportOf = ({ statuses, ...filter }: GrantFilter): ExportRowFilter => ({
  ...filter,
  ...(statuses && { grantStatuses: statuses }),
})
