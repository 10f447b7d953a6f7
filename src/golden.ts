/** The whole API as text, kept in the repository so that a change of it can be seen in review. */
import { lexicographicSortSchema, printSchema } from 'graphql'
import { openapi } from './rest/openapi.ts'
import { routes } from './rest/routes.ts'
import { schema } from './schema.ts'

const routesText = () =>
  routes
    .map(({ method, path, key, summary }) =>
      [method.padEnd(6), path.padEnd(36), key.padEnd(6), summary].join('  '),
    )
    .join('\n')

/** Contents by file name. */
export const goldenFiles = (): Record<string, string> => ({
  'schema.graphql': `${printSchema(lexicographicSortSchema(schema))}\n`,
  'routes.txt': `${routesText()}\n`,
  'openapi.json': `${JSON.stringify(openapi(schema, '/'), null, 2)}\n`,
})
