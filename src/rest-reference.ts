/** The OpenAPI document and the API reference that shows it. */
import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import type { Config } from './core/config.ts'
import type { Limited } from './health.ts'
import { contentHandler } from './pages/page-file.ts'

/** Made of the schema by `npm run golden`; a test compares it. To make it again takes a fifth of a second. */
const file = new URL('../openapi.json', import.meta.url)

/** Sends the document, which the first request reads. */
const documentHandler = ({ production, publicUrl }: Config): RouteHandlerMethod => {
  let send: RouteHandlerMethod | undefined
  return function (request, reply) {
    const servers = [{ url: production ? publicUrl : '/' }]
    send ??= contentHandler(
      Buffer.from(JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), servers })),
      { 'content-type': 'application/json; charset=utf-8' },
    )
    return send.call(this, request, reply)
  }
}

export const mountReference = async (
  app: FastifyInstance,
  config: Config,
  { onRequest }: Limited,
): Promise<void> => {
  const sendDocument = documentHandler(config)
  await app.register(async (scope) => {
    scope.addHook('onRequest', onRequest)
    scope.get('/openapi.json', sendDocument)
    // The library would send its own document here. Its page reads the first of them.
    scope.addHook('onRequest', async function (request, reply) {
      const { url } = request.routeOptions
      if (url === '/docs/json') return sendDocument.call(this, request, reply)
      if (url === '/docs/yaml') return reply.redirect('/openapi.json', 308)
    })
    const document = { openapi: '3.1.0', info: { title: 'Tessera', version: '' }, paths: {} }
    await scope.register(swagger, { mode: 'static', specification: { document } })
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      theme: { title: 'Tessera REST API' },
      // Keys must not outlive the page, because every script can read the storage of the browser.
      uiConfig: { layout: 'BaseLayout', persistAuthorization: false },
    })
  })
}
