/** Checks every answer of a test against the OpenAPI document. */
import { openapi } from '../../src/rest/openapi.ts'
import { schema } from '../../src/schema.ts'
import { shapeFaults, whole } from './json-shape.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is looked into
export const document: any = openapi(schema, '/')

/** Paths as patterns; those with fewer parameters first, as the server matches them. */
const patterns = Object.keys(document.paths)
  .sort((a, b) => a.split('{').length - b.split('{').length)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }))

/** The documented path of a URL, or undefined. */
const documentedPath = (url: string): string | undefined => {
  const [plain = ''] = url.split('?')
  return patterns.find(({ pattern }) => pattern.test(plain))?.path
}

/**
 * Parts of an answer that the document does not allow: fields of a success, or of the error envelope.
 * With `strict`, the status must be documented for the route, too.
 */
export const documentFaults = (
  method: string,
  url: string,
  answer: { status: number; headers: Headers; body: unknown },
  { strict = false } = {},
): string[] => {
  const path = documentedPath(url)
  const operation = path && document.paths[path][method.toLowerCase()]
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  if (!operation || !isJson || answer.body === undefined) return []
  const declared = operation.responses[answer.status]
  if (!declared && (strict || answer.status < 400))
    return [`${method} ${path} does not document ${answer.status}`]
  const { schema: shape } = whole(document, declared ?? { $ref: '#/components/responses/Error' })
    .content['application/json']
  return shapeFaults(document, shape, answer.body).map((fault) => `${method} ${path}: ${fault}`)
}
