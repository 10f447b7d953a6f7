/** What administrators see of all partners. Domains add its fields. */
import { builder } from './builder.ts'

export const AdminRef = builder.objectRef<object>('Admin').implement({
  description: 'Data of all partners. For administrators.',
})

builder.queryField('admin', (t) =>
  t.field({
    type: AdminRef,
    description: 'Data of all partners. Requires the role ADMIN.',
    authScopes: { key: 'admin' },
    resolve: () => ({}),
  }),
)
