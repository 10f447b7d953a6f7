/** Reads request bodies as text. */
import { isUtf8 } from 'node:buffer'
import type {
  FastifyBodyParser,
  FastifyContentTypeParser,
  FastifyInstance,
  FastifyRequest,
} from 'fastify'
import { TesseraError } from '../errors.ts'

const charset = /;\s*charset\s*=\s*"?([^";\s]*)/gi
const isOurs = ([, name = '']: string[]) => /^utf-?8$/i.test(name)

/** @throws TesseraError UNSUPPORTED_MEDIA_TYPE for a body that is declared to be compressed, or no UTF-8 */
const checkHeaders = ({ headers }: FastifyRequest): void => {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers
  if (encoding.toLowerCase() !== 'identity')
    throw new TesseraError('UNSUPPORTED_MEDIA_TYPE', {
      message: 'The body must not be compressed: leave out Content-Encoding',
    })
  if (type !== 'application/json' && ![...type.matchAll(charset)].every(isOurs))
    throw new TesseraError('UNSUPPORTED_MEDIA_TYPE', {
      message: 'The charset of the body must be UTF-8',
    })
}

/**
 * The text of a body. In another encoding its bytes would become U+FFFD, and different texts the same.
 * @throws TesseraError UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON
 */
export const bodyText = (request: FastifyRequest, body: Buffer): string => {
  checkHeaders(request)
  if (!isUtf8(body))
    throw new TesseraError('MALFORMED_JSON', { message: 'The request body is not UTF-8' })
  return body.toString('utf8')
}

/** Accepts an empty body of any type, or of none: only its end shows that a chunked body is empty. */
const parseNothing: FastifyContentTypeParser = (request, payload, done) => {
  if (request.is404) return done(null)
  payload
    .once('data', () => done(new TesseraError('UNSUPPORTED_MEDIA_TYPE')))
    .once('end', () => done(null))
    .once('error', done)
}

/** Bodies are JSON, or empty. */
export const parseBodies = (app: FastifyInstance): void => {
  const parseJson = app.getDefaultJsonParser('remove', 'remove') as FastifyBodyParser<string>
  const parse: FastifyBodyParser<Buffer> = (request, body, done) =>
    body.length === 0 ? done(null) : parseJson(request, bodyText(request, body), done)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse)
  app.addContentTypeParser('*', parseNothing)
}
