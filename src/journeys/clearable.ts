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
    .superRefine((text, ctx) => {
      const issues = text === '' ? [] : (schema.safeParse(text).error?.issues ?? [])
      for (const issue of issues) ctx.addIssue({ ...issue, input: text } as z.core.$ZodRawIssue)
    })
    .meta({
      anyOf: [documented(schema), { const: '' }],
      graphql: z.globalRegistry.get(schema)?.graphql,
    })
    .nullish()
