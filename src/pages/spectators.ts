/** The arena for spectators: the first paint of its pages. In the browser, subscriptions keep them up to date. */
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type EventOf, isOver, stateOfSnapshot } from '../../packages/client/src/match-state.ts'
import { mosaicSvg } from '../../packages/widgets/src/mosaic.ts'
import { TesseraError } from '../kit/errors.ts'
import { isUuid } from '../kit/validation.ts'
import {
  answerErrorsAsPages,
  type PageParts,
  pageHeaders,
  policyOf,
  prepareOperation,
} from './page.ts'
import { type PageAssets, sendPage, servePageAssets } from './page-assets.ts'
import { featuredOf } from './spectators/arena-state.ts'
import { titleOf } from './spectators/page-words.ts'
import {
  arenaQuery,
  type Leader,
  type Match,
  type MatchState,
  snapshotQuery,
} from './spectators/wire.ts'
import type { Notice } from './texts/notices.ts'

/** The exports of the build for the server. The views are TSX, which the server cannot import. */
type Views = {
  renderArena(view: object): string
  renderMatch(view: object): string
  renderNotice(title: string, text: string): string
}

type Lists = {
  live: { nodes: Match[] }
  recent: { nodes: Match[] }
  leaders: { totalCount: { value: number }; nodes: Leader[] }
}

const headers = pageHeaders(policyOf({ 'img-src': "'self'" }))

const send = (request: FastifyRequest, reply: FastifyReply, status: number, body: string) =>
  sendPage(request, reply.code(status).headers(headers), body)

const notices: Record<string, Notice> = {
  MATCH_NOT_FOUND: [
    'There is no such match',
    'It may not be public, or its address is not complete.',
  ],
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Data as a script element. No text in it can close the element. */
const dataElement = (data: object) =>
  `<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`

const page = (parts: { title: string; description: string; head: string; body: string }) =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(parts.title)}</title>
<meta name="description" content="${escaped(parts.description).replaceAll('"', '&quot;')}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#faf9f7" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#121117" media="(prefers-color-scheme: dark)">
<link rel="icon" href="/arena/icon.svg" type="image/svg+xml">
${parts.head}
</head>
<body>
${parts.body}
</body>
</html>
`

/** The icon of the pages and the pictures of agents. */
const mountPictures = (app: FastifyInstance, { limit }: PageParts): void => {
  const icon = readFileSync(new URL('spectators/icon.svg', import.meta.url))
  app.get('/arena/icon.svg', (_, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(icon),
  )
  // The picture is derived from the id, so nothing is looked up and nothing is revealed.
  app.get<{ Params: { agentId: string } }>(
    '/arena/agents/:agentId/avatar.svg',
    { onRequest: (request, reply) => limit(request, reply, null) },
    ({ params }, reply) => {
      if (!isUuid(params.agentId)) throw new TesseraError('AGENT_NOT_FOUND')
      return reply
        .type('image/svg+xml')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('access-control-allow-origin', '*')
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(mosaicSvg(params.agentId.toLowerCase()))
    },
  )
}

/** Prepares the reads of both pages. */
const prepareReads = (parts: PageParts) => {
  const readLists = prepareOperation<{ arena: Lists }>(parts, arenaQuery)
  const readMatch = prepareOperation<{
    arena: { snapshot: EventOf<'ArenaMatchSnapshot', Match> | null }
  }>(parts, snapshotQuery)
  /** @throws TesseraError MATCH_NOT_FOUND */
  const readState = async (request: FastifyRequest, matchId: string): Promise<MatchState> => {
    const { snapshot } = isUuid(matchId) ? (await readMatch(request, { matchId })).arena : {}
    if (!snapshot) throw new TesseraError('MATCH_NOT_FOUND')
    return stateOfSnapshot(snapshot)
  }
  const readArena = async (request: FastifyRequest) => {
    const { live, recent, leaders } = (await readLists(request, {})).arena
    const lists = {
      live: live.nodes.map((match) => ({ match, leavesAt: null })),
      recent: recent.nodes,
      leaders: leaders.nodes,
      agentCount: leaders.totalCount.value,
    }
    const featuredId = featuredOf(lists.live, null)
    return { lists, featured: featuredId === null ? null : await readState(request, featuredId) }
  }
  return { readState, readArena }
}

/** A page that runs no script. */
const noticePage = async (assets: PageAssets, [title, text]: Notice): Promise<string> => {
  const { renderNotice } = await assets.views<Views>()
  const scripts = /<script[^<>]*><\/script>|<link rel="mod[^<>]*>/g
  const head = assets.head('arena-page.tsx').replace(scripts, '')
  return page({ title, description: text, head, body: renderNotice(title, text) })
}

export const mountSpectators = async (app: FastifyInstance, parts: PageParts): Promise<void> => {
  const assets = servePageAssets(app, '/arena/assets')
  mountPictures(app, parts)
  const { readState, readArena } = prepareReads(parts)
  const onRequest = (request: FastifyRequest, reply: FastifyReply) =>
    parts.limit(request, reply, null)
  const viewNow = () => ({
    link: 'static',
    now: parts.runtime.clock().getTime(),
    announcement: '',
  })
  // A separate scope, because only these pages answer errors as HTML.
  await app.register(async (scope) => {
    answerErrorsAsPages(scope, parts.runtime, notices, async (request, reply, status, notice) =>
      send(request, reply, status, await noticePage(assets, notice)),
    )

    scope.get('/arena/', (_, reply) => reply.redirect('/arena', 308))
    scope.get('/arena', { onRequest }, async (request, reply) => {
      const arena = await readArena(request)
      const data = { ...viewNow(), ...arena }
      const { renderArena } = await assets.views<Views>()
      const body = `<div id="page">${renderArena(data)}</div>\n${dataElement(data)}`
      const content = page({
        title: 'Tessera arena: agents at play',
        description: 'Software agents play ranked matches. Watch every move as it is made.',
        head: assets.head('arena-page.tsx'),
        body,
      })
      return send(request, reply, 200, content)
    })

    scope.get<{ Params: { matchId: string } }>(
      '/arena/matches/:matchId',
      { onRequest },
      async (request, reply) => {
        const state = await readState(request, request.params.matchId)
        const { match } = state
        const data = { ...viewNow(), state, replay: null }
        const { renderMatch } = await assets.views<Views>()
        const how = isOver(match) ? 'Watch again' : 'Watch live'
        const content = page({
          title: titleOf(match),
          description: `${how}, move by move: ${match.agent1.displayName} against ${match.agent2.displayName}.`,
          head: assets.head('match-page.tsx'),
          body: `<div id="page">${renderMatch(data)}</div>\n${dataElement(data)}`,
        })
        return send(request, reply, 200, content)
      },
    )
  })
}
