/** The data of all partners, for operators. Domains add fields. */
import { builder } from './builder.ts'

export const AdminRef = builder.objectRef<object>('Admin').implement({
  description: 'Data of all partners. For operators.',
})

builder.queryField('admin', (t) =>
  t.field({
    type: AdminRef,
    description: 'Data of all partners. Requires an operator.',
    authScopes: { key: ['operator', null] },
    resolve: () => ({}),
  }),
)
