/** The page at `/`: what Tessera is, what is happening on this server, and where to start. */
import type { FastifyInstance } from 'fastify'
import { type HomeFigures, homePage } from './home-view.ts'
import { type PageParts, pageHeaders, policyOf, prepareOperation } from './page.ts'
import { sendPage } from './page-assets.ts'
import { servePageFile } from './page-file.ts'

/** The campaign of the demo partner. Without a demo, the page shows none. */
const demoCampaign = { partnerSlug: 'demo', slug: 'summer-sale' }

const query = `query Home($partnerSlug: String!, $slug: String!) {
  arena {
    live: matches(filter: { statuses: [IN_PROGRESS] }, first: 3) {
      totalCount { value precision }
      nodes {
        uuid gameName agent1Score agent2Score
        agent1 { uuid: agentUuid displayName } agent2 { uuid: agentUuid displayName }
      }
    }
    played: matches(filter: { statuses: [COMPLETED] }, first: 1) { totalCount { value precision } }
    leaderboard(first: 5) {
      totalCount { value precision }
      nodes { rank agent { uuid displayName partnerName eloRating ratingTrend } }
    }
  }
  campaign: publicCampaign(partnerSlug: $partnerSlug, slug: $slug, environment: LIVE) {
    name phase participantCount
    prizes { remainingCount }
  }
}`

const headers = pageHeaders(policyOf({ 'img-src': "'self'" }))

export const mountHome = (app: FastifyInstance, parts: PageParts): void => {
  const { config, log } = parts.runtime
  const readFigures = prepareOperation<HomeFigures>(parts, query)
  servePageFile(app, '/home.css', 'home.css')
  servePageFile(app, '/home-hero.css', 'home-hero.css')
  servePageFile(app, '/home.js', 'home.js')
  app.get(
    '/',
    { onRequest: (request, reply) => parts.limit(request, reply, null) },
    async (request, reply) => {
      // Without a database, the page is shown without figures.
      const shown = await readFigures(request, demoCampaign).catch((err) => {
        log.warn({ err, requestId: request.id }, 'the start page has no figures')
        return null
      })
      reply.headers(headers)
      return sendPage(request, reply, homePage(shown, config))
    },
  )
}
