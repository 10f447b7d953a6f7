/** Files that pages are made of, read once at the start. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { FastifyInstance } from 'fastify'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** Serves a file of this folder at a path. A browser asks each time, and is answered 304 when it has it. */
export const servePageFile = (
  app: FastifyInstance,
  path: string,
  file: string,
  headers: Record<string, string> = {},
): void => {
  const content = readFileSync(new URL(file, import.meta.url))
  const etag = `"${hash('sha256', content, 'base64url')}"`
  app.get(path, (request, reply) => {
    reply.headers({ ...headers, etag, 'cache-control': 'no-cache' })
    return request.headers['if-none-match'] === etag
      ? reply.code(304).send()
      : reply.type(types[extname(file)] as string).send(content)
  })
}
