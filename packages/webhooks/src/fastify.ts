/** Fastify. */
import type { FastifyPluginAsync } from 'fastify'
import { maxBodyBytes, receiveWebhook, type WebhookOptions } from './receive.ts'

/**
 * A plugin with one route, `path` (`/` unless given). It reads raw bodies; other routes parse theirs as before:
 * `app.register(tesseraWebhooks, { path: '/hook', secret, onEvent })`.
 */
export const tesseraWebhooks: FastifyPluginAsync<WebhookOptions & { path?: string }> = async (
  app,
  { path = '/', ...options },
) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_, body, done) =>
    done(null, body),
  )
  app.post(path, async ({ body = '', headers }, reply) => {
    const answer = await receiveWebhook(body as string | Uint8Array, headers, options)
    return reply.code(answer.status).type('text/plain').send(answer.body)
  })
}
