/** The arena in a browser: a page around each game, the SDK that games load, and a built-in game. */
import type { FastifyInstance } from 'fastify'
import { TesseraError } from '../kit/errors.ts'
import { type Html, html } from './html.ts'
import {
  answerErrorsAsPages,
  type PageParts,
  pageHeaders,
  policyOf,
  prepareOperation,
} from './page.ts'
import { servePageFile } from './page-file.ts'
import type { Notice } from './texts/notices.ts'

type Game = {
  uuid: string
  slug: string
  name: string
  category: string
  description: string | null
  rules: string | null
  buildUrl: string
  minPlayers: number
  maxPlayers: number
  entryFee: number
}

const query = `query ($slug: String!) {
  arena {
    game(by: { slug: $slug }) {
      uuid slug name category description rules buildUrl minPlayers maxPlayers entryFee
    }
  }
}`

const playersOf = ({ minPlayers, maxPlayers }: Game) =>
  minPlayers === maxPlayers
    ? `${maxPlayers} player${maxPlayers === 1 ? '' : 's'}`
    : `${minPlayers}–${maxPlayers} players`

const section = (title: string, text: string | null) =>
  text && html`<section><h2>${title}</h2><p class="text">${text}</p></section>`

const document = (title: string, content: Html): string =>
  `<!doctype html>\n${
    html`<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Tessera arena</title>
<link rel="icon" href="/arena/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/arena/host.css">
${content}
</html>`.text
  }\n`

const noticePage = ([title, text]: Notice) =>
  document(
    title,
    html`<header>
  <p><a href="/arena">Tessera arena</a></p>
  <h1>${title}</h1>
  <p>${text}</p>
</header>`,
  )

const gamePage = (game: Game, build: string) =>
  document(
    game.name,
    html`<script src="/arena/host.js" type="module"></script>
<header>
  <p><a href="/arena">Tessera arena</a></p>
  <h1>${game.name}</h1>
  <ul class="facts">
    <li>${game.category.charAt(0)}${game.category.slice(1).toLowerCase()}</li>
    <li>${playersOf(game)}</li>
    <li>${game.entryFee > 0 ? `Entry ${game.entryFee} points` : 'Free to enter'}</li>
  </ul>
</header>
<main data-game-id="${game.uuid}" data-slug="${game.slug}" data-name="${game.name}" data-build="${build}">
  <div class="stage">
    <iframe title="${game.name}" sandbox="allow-scripts allow-pointer-lock" allow="fullscreen" referrerpolicy="no-referrer"></iframe>
    <div id="veil" role="status" hidden><b id="veil-title"></b><p id="veil-text"></p></div>
  </div>
  <aside>
    <section id="session" hidden>
      <div class="row"><h2>Session</h2><span id="state"></span></div>
      <span id="pool"></span><span class="label">Prize pool</span>
      <ol id="players"></ol>
      <p id="more"></p>
    </section>
    <section id="practice" hidden>
      <h2>Practice</h2>
      <p>You are trying this game; no points are at stake. To play for points, follow the link that your app gives you.</p>
      <p class="label" id="open"></p>
    </section>
    ${section('About', game.description)}
    ${section('Rules', game.rules)}
  </aside>
</main>`,
  )

/** A game runs in a frame without an origin. A partner may embed the page around it in an app. */
const policyFor = (build: string) =>
  policyOf({
    'img-src': "'self'",
    'frame-ancestors': '*',
    'frame-src': build.startsWith('/') ? "'self'" : new URL(build).origin,
  })

/** The built-in game needs its own files and the API, and may be embedded only in our own pages. */
const buildHeaders = {
  'content-security-policy': policyOf({
    'style-src': "'self' 'unsafe-inline'",
    'frame-ancestors': "'self'",
  }),
}

const notices = {
  ARENA_GAME_NOT_FOUND: [
    'There is no such game',
    'Its address may not be complete, or the game is not public any more.',
  ] satisfies Notice,
}

export const mountArena = async (app: FastifyInstance, parts: PageParts): Promise<void> => {
  const { publicUrl } = parts.runtime.config
  const readGame = prepareOperation<{ arena: { game: Game | null } }>(parts, query)
  // A separate scope, because only this page answers errors as HTML.
  await app.register(async (scope) => {
    answerErrorsAsPages(scope, parts.runtime, notices, (_, reply, status, notice) =>
      reply
        .code(status)
        .headers(pageHeaders(policyFor('/')))
        .send(noticePage(notice)),
    )
    scope.get<{ Params: { slug: string } }>(
      '/arena/games/:slug',
      { onRequest: (request, reply) => parts.limit(request, reply, null) },
      async (request, reply) => {
        const { game } = (await readGame(request, request.params)).arena
        if (!game) throw new TesseraError('ARENA_GAME_NOT_FOUND')
        // The built-in game is served wherever this page is reached.
        const build = game.buildUrl.startsWith(`${publicUrl}/`)
          ? game.buildUrl.slice(publicUrl.length)
          : game.buildUrl
        return reply
          .headers({ ...pageHeaders(policyFor(build)), 'cache-control': 'no-cache' })
          .send(gamePage(game, build))
      },
    )
  })
  servePageFile(app, '/arena/host.js', 'arena/host.js')
  servePageFile(app, '/arena/host.css', 'arena/host.css')
  for (const file of ['arena-game.js', 'arena-relay.js'])
    servePageFile(app, `/sdk/${file}`, `arena/${file}`, {
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
  servePageFile(app, '/arena/builds/row/', 'arena/builds/row/index.html', buildHeaders)
  servePageFile(app, '/arena/builds/row/row.js', 'arena/builds/row/row.js', buildHeaders)
  servePageFile(app, '/arena/builds/row/row.css', 'arena/builds/row/row.css', buildHeaders)
}
