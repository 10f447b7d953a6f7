/** `/docs/graphql` and the other guides of `docs/`, as pages. They are made when somebody asks for the first time. */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Limited } from '../health.ts'
import { pageHeaders, policyOf } from './page.ts'
import { contentHandler, servePageFile } from './page-file.ts'

/** Files of `docs/` that are written for those who use the API. */
const guides = {
  graphql: 'GraphQL',
  webhooks: 'Webhooks',
  errors: 'Errors',
  access: 'Access',
  arena: 'Games of the arena',
  'verify-a-draw': 'Verify a draw',
}
type GuideName = keyof typeof guides

const makePage = async (name: GuideName): Promise<Buffer> => {
  const { renderGuide } = await import('./guide-view.ts')
  const text = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
  return Buffer.from(renderGuide(text, name, guides))
}

export const mountGuides = (app: FastifyInstance, limited: Limited): void => {
  servePageFile(app, '/docs/guide.css', 'guide.css')
  const { 'cache-control': _, ...headers } = pageHeaders(policyOf({ 'script-src': "'none'" }))
  for (const name of Object.keys(guides) as GuideName[]) {
    let send: Promise<ReturnType<typeof contentHandler>> | undefined
    app.get(`/docs/${name}`, limited, async (request, reply) => {
      send ??= makePage(name).then((page) => contentHandler(page, headers))
      return (await send)(request, reply)
    })
  }
}
