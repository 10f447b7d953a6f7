import { z } from 'zod'

/** The JSON Schema for the API document. */
const documented = (schema: z.ZodType<string>) => {
  const { $schema, graphql, ...shown } = z.toJSONSchema(schema, { io: 'input' })
  return shown
}

/** A text of a schema, or an empty text, which unsets the field. */
export const clearable = (schema: z.ZodType<string>) =>
  z
    .string('must be a string')
    .check((ctx) => {
      if (ctx.value === '') return
      const { data, error } = schema.safeParse(ctx.value)
      for (const issue of error?.issues ?? [])
        ctx.issues.push({ ...issue, input: ctx.value } as z.core.$ZodRawIssue)
      if (data !== undefined) ctx.value = data
    })
    .meta({
      anyOf: [documented(schema), { const: '' }],
      graphql: z.globalRegistry.get(schema)?.graphql,
    })
    .nullish()
