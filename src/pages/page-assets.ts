/** The arena's pages, built by `npm run pages`: files for browsers, and the build by which the server renders them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptsEncoding } from '../kit/http/http-parts.ts'
import { findBuiltFiles, sendBuiltFile } from './built-files.ts'

const built = fileURLToPath(new URL('../generated/pages', import.meta.url))
const manifestFile = 'manifest.json'

/** An entry of Vite's manifest. */
type Chunk = { file: string; css?: string[]; imports?: string[] }
type Manifest = Record<string, Chunk>

const readManifest = (): Manifest => {
  try {
    return JSON.parse(readFileSync(join(built, 'client', manifestFile), 'utf8'))
  } catch (cause) {
    throw new Error('The pages are not built: run npm run pages', { cause })
  }
}

/** Sends a dynamic page, compressed if the browser accepts that. */
export const sendPage = async (
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
): Promise<FastifyReply> => {
  reply.type('text/html; charset=utf-8').header('vary', 'accept-encoding')
  if (!acceptsEncoding(request.headers['accept-encoding'], 'br')) return reply.send(body)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  return reply
    .header('content-encoding', 'br')
    .send(await promisify(brotliCompress)(body, { params }))
}

export type PageAssets = {
  /** The elements that load an entry, for the head of a page. */
  head(entry: string): string
  /** The exports of the server build, which the first call loads. */
  views<T>(): Promise<T>
}

/**
 * Serves the built files under a path.
 * @throws Error when they are not built
 */
export const servePageAssets = (app: FastifyInstance, path: string): PageAssets => {
  const manifest = readManifest()
  const chunkOf = (name: string) => manifest[name] as Chunk
  const files = findBuiltFiles(join(built, 'client'), { isHashed: () => true, headers: {} })
  files.delete(manifestFile)
  for (const [name, file] of files)
    app.get(`${path}/${name}`, (request, reply) => sendBuiltFile(request, reply, file()))
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
    views: async () => import(pathToFileURL(join(built, 'server/server-views.js')).href),
  }
}
