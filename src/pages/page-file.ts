/** Files of pages, read once at the start. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/**
 * Returns the handler for content that never changes. Browsers revalidate it each time and get 304 if they have it.
 */
export const contentHandler = (content: Buffer, headers: Record<string, string>) => {
  const etag = `"${hash('sha256', content, 'base64url')}"`
  return (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ etag, 'cache-control': 'no-cache', ...headers })
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(content)
  }
}

/** Serves a file of this folder at a path. */
export const servePageFile = (
  app: FastifyInstance,
  path: string,
  file: string,
  headers: Record<string, string> = {},
): void =>
  void app.get(
    path,
    contentHandler(readFileSync(new URL(file, import.meta.url)), {
      'content-type': types[extname(file)] as string,
      ...headers,
    }),
  )
