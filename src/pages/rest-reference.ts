/** The OpenAPI document and the API reference that shows it. */
import { readFileSync } from 'node:fs'
import Fastify, { type FastifyInstance, type RouteHandlerMethod } from 'fastify'
import type { Config } from '../kit/config/config.ts'
import type { Limited } from '../kit/http/health.ts'
import { contentHandler } from './page-file.ts'

/** Made from the schema by `npm run golden`; a test compares it. Making it at run time would take 200 ms. */
const file = new URL('../../openapi.json', import.meta.url)

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

/** The page loads nothing from other hosts. */
const contentPolicy = {
  'default-src': "'self'",
  'base-uri': "'self'",
  'font-src': "'self' data:",
  'frame-ancestors': "'self'",
  'img-src': "'self' data:",
  'object-src': "'none'",
  'script-src-attr': "'none'",
}

/** The page and its files, in a separate Fastify application. */
const openPage = async (): Promise<FastifyInstance> => {
  const { default: swagger } = await import('@fastify/swagger')
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  const app = Fastify()
  const document = { openapi: '3.1.0', info: { title: 'Tessera', version: '' }, paths: {} }
  await app.register(swagger, { mode: 'static', specification: { document } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: contentPolicy,
    theme: { title: 'Tessera REST API' },
    // Keys must not outlive the page, because every script can read the storage of the browser.
    uiConfig: { layout: 'BaseLayout', persistAuthorization: false },
  })
  return app
}

/** Headers that the caller's own connection sets. */
const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'date']

/** Serves the page. The first request loads its libraries, which takes longer than all other pages together. */
const pageHandler = (): RouteHandlerMethod => {
  let page: Promise<FastifyInstance> | undefined
  return async ({ url, headers }, reply) => {
    page ??= openPage()
    const answer = await (await page).inject({ method: 'GET', url, headers })
    if (answer.statusCode === 404) return reply.callNotFound()
    const kept = Object.entries(answer.headers).filter(([name]) => !ofConnection.includes(name))
    return reply.code(answer.statusCode).headers(Object.fromEntries(kept)).send(answer.rawPayload)
  }
}

export const mountReference = async (
  app: FastifyInstance,
  config: Config,
  { onRequest }: Limited,
): Promise<void> => {
  const sendDocument = documentHandler(config)
  const sendPage = pageHandler()
  await app.register(async (scope) => {
    scope.addHook('onRequest', onRequest)
    scope.get('/openapi.json', sendDocument)
    // The library would send its own document here. Its page reads `/docs/json`.
    scope.get('/docs/json', sendDocument)
    scope.get('/docs/yaml', (_, reply) => reply.redirect('/openapi.json', 308))
    scope.get('/docs', sendPage)
    scope.get('/docs/*', sendPage)
  })
}
