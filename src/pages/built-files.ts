/** Files built by Vite, with their compressed forms. Each is read once, on the first request. */
import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsEncoding } from '../kit/http/http-parts.ts'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** A file, and its compressed forms from the build. */
type BuiltFile = {
  headers: Record<string, string>
  plain: Buffer
  br: Buffer | undefined
  gzip: Buffer | undefined
}

export const readIfThere = (path: string): Buffer | undefined =>
  existsSync(path) ? readFileSync(path) : undefined

type Options = {
  /** Whether the name of a file contains a hash of its content. Browsers cache such a file forever. */
  isHashed: (name: string) => boolean
  headers: Record<string, string>
}

const readFile = (folder: string, name: string, { isHashed, headers }: Options): BuiltFile => {
  const path = join(folder, name)
  const plain = readFileSync(path)
  return {
    plain,
    br: readIfThere(`${path}.br`),
    gzip: readIfThere(`${path}.gz`),
    headers: {
      'content-type': types[extname(path)] ?? 'application/octet-stream',
      etag: `"${hash('sha256', plain, 'base64url')}"`,
      'cache-control': isHashed(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
      ...headers,
    },
  }
}

/** The files of a folder by path, except `index.html`: functions that read them. Empty if the folder is missing. */
export const findBuiltFiles = (folder: string, options: Options): Map<string, () => BuiltFile> => {
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => name !== 'index.html' && !/\.(br|gz)$/.test(name))
  return new Map(
    names.map((name) => {
      let file: BuiltFile | undefined
      return [name, () => (file ??= readFile(folder, name, options))]
    }),
  )
}

/** Sends a file, compressed if the client accepts it, or 304 if the client already has it. */
export const sendBuiltFile = (
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: BuiltFile,
): FastifyReply => {
  reply.headers(file.headers)
  if (headers['if-none-match'] === file.headers['etag']) return reply.code(304).send()
  for (const encoding of ['br', 'gzip'] as const) {
    const content = file[encoding]
    if (content && acceptsEncoding(headers['accept-encoding'], encoding))
      return reply.header('content-encoding', encoding).send(content)
  }
  return reply.send(file.plain)
}
