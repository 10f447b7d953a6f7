/** The OpenAPI document, and the REST reference that shows it: Scalar's, served from here. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import type { Config } from '../kit/config/config.ts'
import type { Limited } from '../kit/http/health.ts'
import { findBuiltFiles, sendBuiltFile } from './built-files.ts'
import { html } from './html.ts'
import { pageHeaders, policyOf } from './page.ts'
import { contentHandler, servePageFile } from './page-file.ts'

/** Made from the schema by `npm run golden`; a test compares it. Making it at run time would take 200 ms. */
const file = new URL('../../openapi.json', import.meta.url)

/** Written by `npm run pages`. */
const built = fileURLToPath(new URL('../generated/reference', import.meta.url))

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

const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>REST reference – Tessera</title>
<link rel="icon" href="/arena/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/reference/reference.css">
<link rel="preload" href="/docs/json" as="fetch" crossorigin>
<header class="top">
  <a class="home" href="/">Tessera</a>
  <nav aria-label="Guides">
    <a href="/docs" aria-current="page">REST reference</a>
    <a href="/docs/graphql">GraphQL guide</a>
    <a href="/docs/webhooks">Webhooks</a>
    <a href="/docs/errors">Errors</a>
    <a href="/openapi.json">openapi.json</a>
  </nav>
</header>
<noscript>The reference needs JavaScript. Its source is <a href="/openapi.json">openapi.json</a>.</noscript>
<main id="reference"></main>
<script src="/docs/reference/scalar.js"></script>
<script src="/docs/reference/reference.js"></script>
</html>
`.text

const headers = pageHeaders(
  policyOf({
    'font-src': "'self' data:",
    'img-src': "'self' data: blob:",
    // The library sets styles in markup.
    'style-src': "'self' 'unsafe-inline'",
  }),
)

export const mountReference = async (
  app: FastifyInstance,
  config: Config,
  { onRequest }: Limited,
): Promise<void> => {
  const sendDocument = documentHandler(config)
  const { 'cache-control': _, ...pageOnly } = headers
  const sendPage = contentHandler(Buffer.from(page), pageOnly)
  await app.register(async (scope) => {
    scope.addHook('onRequest', onRequest)
    scope.get('/openapi.json', sendDocument)
    scope.get('/docs/json', sendDocument)
    scope.get('/docs/yaml', (_, reply) => reply.redirect('/openapi.json', 308))
    for (const path of ['/docs', '/docs/']) scope.get(path, sendPage)
    for (const name of ['reference.css', 'reference.js'])
      servePageFile(scope, `/docs/reference/${name}`, name)
    for (const [name, builtFile] of findBuiltFiles(built, { isHashed: () => false, headers: {} }))
      scope.get(`/docs/reference/${name}`, (request, reply) =>
        sendBuiltFile(request, reply, builtFile()),
      )
  })
}
