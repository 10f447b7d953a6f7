/** What administrators see of all partners. Domains add its fields. */
import { builder } from './builder.ts'

export const AdminRef = builder.objectRef<object>('Admin').implement({
  description: 'All partners, for administrators.',
})

builder.queryField('admin', (t) =>
  t.field({
    type: AdminRef,
    description: 'What the role ADMIN may see of all partners.',
    authScopes: { key: 'admin' },
    resolve: () => ({}),
  }),
)
