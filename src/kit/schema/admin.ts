/** The data of all partners, for operators. Domains add fields. */
import { builder, namespace } from './builder.ts'
import { orError } from './null-with-error.ts'

export const AdminRef = namespace('Admin', 'Data of all partners. For operators.')

builder.queryField('admin', (t) =>
  t.field({
    type: AdminRef,
    ...orError('Data of all partners.'),
    authScopes: { key: ['operator', null] },
    resolve: () => ({}),
  }),
)
