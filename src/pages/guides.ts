/** `/docs/graphql` and the other guides of `docs/`, as pages. They are made when somebody asks for the first time. */
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentHandler, servePageFile } from './page-file.ts'
import { pageHeaders, policyOf } from './page.ts'

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

export const mountGuides = (
  app: FastifyInstance,
  onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void => {
  servePageFile(app, '/docs/guide.css', 'guide.css')
  const { 'cache-control': _, ...headers } = pageHeaders(policyOf({ 'script-src': "'none'" }))
  for (const name of Object.keys(guides) as GuideName[]) {
    let send: Promise<ReturnType<typeof contentHandler>> | undefined
    app.get(`/docs/${name}`, { onRequest }, async (request, reply) => {
      send ??= makePage(name).then((page) => contentHandler(page, headers))
      return (await send)(request, reply)
    })
  }
}
