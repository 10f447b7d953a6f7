/** The data of all partners, for operators. Domains add fields. */
import { builder, namespace } from './builder.ts'
import { orError } from './null-with-error.ts'

export const PlatformRef = namespace('Platform', 'Data of all partners. For operators.')

builder.queryField('platform', (t) =>
  t.field({
    type: PlatformRef,
    ...orError('Data of all partners.'),
    authScopes: { key: ['operator', null] },
    resolve: () => ({}),
  }),
)
