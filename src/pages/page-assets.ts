/**
 * The files built by `npm run pages`. Their names are hashed, so browsers cache them forever. They are sent
 * compressed.
 */
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TesseraError } from '../core/errors.ts'
import { acceptsEncoding } from '../core/http/accept-encoding.ts'

const built = new URL('../generated/pages/', import.meta.url)
const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** An entry of Vite's manifest. */
type Chunk = { file: string; css?: string[]; imports?: string[] }
type Manifest = Record<string, Chunk>

const read = (name: string): Buffer => {
  try {
    return readFileSync(new URL(name, built))
  } catch (cause) {
    throw new Error('The pages are not built: run npm run pages', { cause })
  }
}

const compress = (content: Buffer) =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })

const takesBrotli = ({ headers }: FastifyRequest) =>
  acceptsEncoding(headers['accept-encoding'], 'br')

/** Sends a dynamic page, compressed if the browser accepts that. */
export const sendPage = async (
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
): Promise<FastifyReply> => {
  reply.type('text/html; charset=utf-8').header('vary', 'accept-encoding')
  if (!takesBrotli(request)) return reply.send(body)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  return reply
    .header('content-encoding', 'br')
    .send(await promisify(brotliCompress)(body, { params }))
}

export type PageAssets = {
  /** The elements that load an entry, for the head of a page. */
  head(entry: string): string
  /** The exports of the server build. */
  views<T>(): Promise<T>
}

/**
 * Serves the built files under a path.
 * @throws Error when they are not built
 */
export const servePageAssets = (app: FastifyInstance, path: string): PageAssets => {
  const manifest = JSON.parse(read('client/manifest.json').toString()) as Manifest
  const chunkOf = (name: string) => manifest[name] as Chunk
  const names = Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css])
  const files = new Map(
    names.map((file) => {
      const plain = read(`client/${file}`)
      return [file, { plain, small: compress(plain), type: types[extname(file)] as string }]
    }),
  )
  app.get<{ Params: { file: string } }>(`${path}/:file`, (request, reply) => {
    const file = files.get(request.params.file)
    if (!file) throw new TesseraError('ROUTE_NOT_FOUND')
    const isSmall = takesBrotli(request)
    return reply
      .type(file.type)
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
        ...(isSmall && { 'content-encoding': 'br' }),
      })
      .send(isSmall ? file.small : file.plain)
  })
  return {
    head: (entry) => {
      const chunk = chunkOf(entry)
      const imports = (chunk.imports ?? []).map(chunkOf)
      const styles = [chunk, ...imports].flatMap(({ css = [] }) => css)
      return [
        ...styles.map((file) => `<link rel="stylesheet" href="${path}/${file}">`),
        ...imports.map(({ file }) => `<link rel="modulepreload" href="${path}/${file}">`),
        `<script type="module" src="${path}/${chunk.file}"></script>`,
      ].join('\n')
    },
    views: async () => import(new URL('server/server-views.js', built).href),
  }
}
