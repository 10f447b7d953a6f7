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
  'graphql/changelog': 'Changes of the schema',
  pages: 'A page in one query',
  caches: 'Caches',
  widgets: 'Widgets',
  'first-mission': 'Your first mission',
  'daily-streak': 'A daily streak',
  shop: 'A shop',
  programme: 'Rewards, grants and goals',
  'user-tokens': 'User tokens',
  'time-zones': 'Time zones and periods',
  webhooks: 'Webhooks',
  events: 'Events',
  errors: 'Errors',
  access: 'Access',
  arena: 'The arena',
  'verify-a-draw': 'Verify a draw',
  'fair-plays': 'Fair plays',
}
type GuideName = keyof typeof guides

const makePage = async (name: GuideName, address: string): Promise<Buffer> => {
  const { renderGuide } = await import('./guide-view.ts')
  const text = readFileSync(
    new URL(`../../docs/${name.replace('/', '-')}.md`, import.meta.url),
    'utf8',
  )
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
  for (const name of ['verify-draw', 'verify-play'])
    servePageFile(app, `/docs/${name}.ts`, `../generated/verifier/${name}.js`, {
      'content-type': 'text/plain; charset=utf-8',
    })
  const { 'cache-control': _, ...headers } = pageHeaders(policyOf({ 'script-src': "'none'" }))
  for (const name of Object.keys(guides) as GuideName[]) {
    let send: Promise<ReturnType<typeof contentHandler>> | undefined
    app.get(`/docs/${name}`, limited, async (request, reply) => {
      send ??= makePage(name, address()).then((page) => contentHandler(page, headers))
      return (await send)(request, reply)
    })
  }
}
