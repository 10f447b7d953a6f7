import { z } from 'zod'

/** A schema as the API document shows it. */
const documented = (schema: z.ZodType<string>) => {
  const { $schema, graphql, ...shown } = z.toJSONSchema(schema, { io: 'input' })
  return shown
}

/** Text that a schema takes, or none: empty text stands for what is not there. */
export const clearable = (schema: z.ZodType<string>) =>
  z
    .string('must be a string')
    .superRefine((text, ctx) => {
      const issues = text === '' ? [] : (schema.safeParse(text).error?.issues ?? [])
      for (const issue of issues) ctx.addIssue({ ...issue, input: text } as never)
    })
    .meta({
      anyOf: [documented(schema), { const: '' }],
      graphql: z.globalRegistry.get(schema)?.graphql,
    })
    .nullish()
