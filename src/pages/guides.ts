/** `/docs/graphql` and the other guides of `docs/` as pages, rendered on the first request. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../kit/config/config.ts'
import type { Limited } from '../kit/http/health.ts'
import { pageHeaders, policyOf } from './page.ts'
import { contentHandler, servePageFile } from './page-file.ts'

/** Files of `docs/` written for users of the API. */
const guides = {
  graphql: 'GraphQL',
  pages: 'A page in one query',
  widgets: 'Widgets',
  'user-tokens': 'User tokens',
  webhooks: 'Webhooks',
  events: 'Events',
  errors: 'Errors',
  access: 'Access',
  arena: 'Games of the arena',
  'verify-a-draw': 'Verify a draw',
  'fair-plays': 'Fair plays',
}
type GuideName = keyof typeof guides

const makePage = async (name: GuideName, address: string): Promise<Buffer> => {
  const { renderGuide } = await import('./guide-view.ts')
  const text = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
    .replaceAll('http://localhost:4000', address)
    .replaceAll('ws://localhost:4000', address.replace('http', 'ws'))
  return Buffer.from(renderGuide(text, name, guides))
}

export const mountGuides = (
  app: FastifyInstance,
  { production, publicUrl }: Config,
  limited: Limited,
): void => {
  // In development the port may differ from that of PUBLIC_URL.
  const address = () =>
    production ? publicUrl : `http://localhost:${(app.server.address() as AddressInfo).port}`
  servePageFile(app, '/docs/guide.css', 'guide.css')
  servePageFile(app, '/docs/verify-draw.ts', '../../packages/verifier/verify-draw.ts')
  servePageFile(app, '/docs/verify-play.ts', '../../packages/verifier/verify-play.ts')
  const { 'cache-control': _, ...headers } = pageHeaders(policyOf({ 'script-src': "'none'" }))
  for (const name of Object.keys(guides) as GuideName[]) {
    let send: Promise<ReturnType<typeof contentHandler>> | undefined
    app.get(`/docs/${name}`, limited, async (request, reply) => {
      send ??= makePage(name, address()).then((page) => contentHandler(page, headers))
      return (await send)(request, reply)
    })
  }
}
