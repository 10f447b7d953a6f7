/** The whole API as text, kept in the repository so that a change of it can be seen in review. */
import { lexicographicSortSchema, printSchema } from 'graphql'
import { errorTable } from './core/errors.ts'
import { openapi } from './rest/openapi.ts'
import { routes } from './rest/routes.ts'
import { schema } from './schema.ts'

const routesText = () =>
  routes
    .map(({ method, path, key, summary }) =>
      [method.padEnd(6), path.padEnd(36), key.padEnd(6), summary].join('  '),
    )
    .join('\n')

const errorsText = () => `# Errors

Every error is \`{message, code, status: "error", errorCode, requestId}\`, with \`errors: [{field, code,
message}]\` where fields were refused; with \`Accept: application/problem+json\` it is RFC 9457. GraphQL
says the same: \`errorCode\` is \`code\` of the error types and of \`extensions\`.

| Status | errorCode | Message |
|---|---|---|
${Object.entries(errorTable)
  .map(([code, { status, message }]) => `| ${status} | \`${code}\` | ${message} |`)
  .join('\n')}
`

/** Contents by file name. */
export const goldenFiles = (): Record<string, string> => ({
  'schema.graphql': `${printSchema(lexicographicSortSchema(schema))}\n`,
  'docs/errors.md': errorsText(),
  'routes.txt': `${routesText()}\n`,
  'openapi.json': `${JSON.stringify(openapi(schema, '/'), null, 2)}\n`,
})
