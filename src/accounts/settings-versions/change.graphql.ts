import { builder } from '../../kit/schema/builder.ts'

/** A change as the triggers record it, with database names. */
export type Change = { table: string; id: string | null; field: string; from: unknown; to: unknown }

const inCamelCase = (name: string) =>
  name.replace(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase())

export const ChangeRef = builder.objectRef<Change>('AuditChange').implement({
  description:
    'A value that changed. Secrets are `***`; of what is created `from` is null, of what is deleted `to`.',
  fields: (t) => ({
    kind: t.string({
      description: 'The kind of object: `campaign`, or a part of the target, such as `prizeTier`.',
      resolve: ({ table }) => inCamelCase(table),
    }),
    uuid: t.field({
      type: 'UUID',
      nullable: true,
      description: 'Which object; null for the settings of an environment.',
      resolve: ({ id }) => id,
    }),
    field: t.string({
      description: 'What changed of the object, as the database calls it, in camel case.',
      resolve: ({ field }) => inCamelCase(field),
    }),
    from: t.expose('from', { type: 'JSON', nullable: true }),
    to: t.expose('to', { type: 'JSON', nullable: true }),
  }),
})
