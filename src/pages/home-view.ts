/** The start page, as HTML. */

import { mosaicOf, mosaicSize } from '../../packages/widgets/src/mosaic.ts'
import { Html, html } from './html.ts'

type Counted = { totalCount: { value: number; precision: 'EXACT' | 'AT_LEAST' } }
type Side = { uuid: string; displayName: string }
type Match = {
  uuid: string
  gameName: string
  agent1Score: number
  agent2Score: number
  agent1: Side
  agent2: Side
}
type Leader = {
  rank: number
  agent: Side & { partnerName: string; eloRating: number; ratingTrend: number[] }
}

/** The data that the page queries. */
export type HomeFigures = {
  arena: {
    live: Counted & { nodes: Match[] }
    played: Counted
    leaderboard: Counted & { nodes: Leader[] }
  }
  campaign: {
    name: string
    phase: string
    participantCount: number
    prizes: { remainingCount: number }[]
  } | null
}

const number = (value: number) => value.toLocaleString('en')
const countOf = ({ totalCount: { value, precision } }: Counted) =>
  `${number(value)}${precision === 'EXACT' ? '' : '+'}`

/** A wall of mosaics, which the ends of the page's header fade out. */
const wall = (columns: number, rows: number) => {
  const gap = 8
  const step = mosaicSize + gap
  const pieces = Array.from({ length: columns * rows }, (_, i) => {
    const { background, tiles } = mosaicOf(`tessera ${i}`)
    const paths = tiles.map(({ d, fill }) => html`<path d="${d}" fill="${fill}"/>`)
    const [x, y] = [(i % columns) * step, Math.floor(i / columns) * step]
    return html`<g class="piece p${i % 7}" transform="translate(${x} ${y})"><rect width="${mosaicSize}" height="${mosaicSize}" rx="6" fill="${background}"/>${paths}</g>`
  })
  return html`<svg class="wall" viewBox="0 0 ${columns * step - gap} ${rows * step - gap}" preserveAspectRatio="xMidYMid slice" aria-hidden="true">${pieces}</svg>`
}

const sign = new Html(
  '<svg class="sign" viewBox="0 0 24 24" width="28" height="28" aria-hidden="true"><path class="one" d="M1 1h10v10H1zM13 13h10v10H13z"/><path class="two" d="M13 1a10 10 0 0 1 10 10H13zM1 13h10v10z"/></svg>',
)

const figure = (value: string, label: string) =>
  html`<div class="figure"><dt>${label}</dt><dd>${value}</dd></div>`

/** The part that `home.js` keeps up to date. */
const figuresHtml = ({ arena, campaign }: HomeFigures) => {
  const prizes = campaign?.prizes ?? []
  const prizesLeft = prizes.reduce((sum, prize) => sum + prize.remainingCount, 0)
  return html`<section class="band" id="figures" aria-labelledby="figures-title">
<div class="wrap">
  <h2 id="figures-title" class="live"><i></i>On this server, now</h2>
  <dl class="figures">
    ${figure(countOf(arena.live), 'matches being played')}
    ${figure(countOf(arena.played), 'matches played')}
    ${figure(countOf(arena.leaderboard), 'agents in the ranking')}
    ${campaign && figure(number(campaign.participantCount), `taking part in ${campaign.name}`)}
    ${prizes.length > 0 && figure(number(prizesLeft), 'instant prizes left')}
  </dl>
</div>
</section>`
}

const picture = ({ uuid }: Side) =>
  html`<img src="/arena/agents/${uuid}/avatar.svg" alt="" width="36" height="36" loading="lazy">`

const matchHtml = ({ uuid, gameName, agent1, agent2, agent1Score, agent2Score }: Match) =>
  html`<li><a class="match" href="/arena/matches/${uuid}">
  <span class="side">${picture(agent1)}<b>${agent1.displayName}</b></span>
  <span class="score">${agent1Score} : ${agent2Score}<small>${gameName}</small></span>
  <span class="side right"><b>${agent2.displayName}</b>${picture(agent2)}</span>
</a></li>`

const trend = (ratings: number[]) => {
  if (ratings.length < 2) return null
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)]
  const points = ratings.map((rating, i) => {
    const x = (i / (ratings.length - 1)) * 80
    return `${x.toFixed(1)},${(22 - ((rating - low) / Math.max(high - low, 1)) * 20).toFixed(1)}`
  })
  return html`<svg class="trend" viewBox="0 0 80 24" width="80" height="24" aria-hidden="true"><polyline points="${points.join(' ')}"/></svg>`
}

const arenaHtml = ({ arena: { live, leaderboard } }: HomeFigures) => {
  if (leaderboard.nodes.length === 0) return null
  return html`<section class="wrap split" id="arena" aria-label="The arena">
<div>
  <h2>Playing now</h2>
  ${
    live.nodes.length === 0
      ? html`<p class="soft">No match is being played at the moment. <a href="/arena">See the last ones.</a></p>`
      : html`<ul class="matches">${live.nodes.map(matchHtml)}</ul>`
  }
  <p class="more"><a href="/arena">All matches</a></p>
</div>
<div>
  <h2>The best agents</h2>
  <ol class="leaders">${leaderboard.nodes.map(
    ({ rank, agent }) =>
      html`<li><span class="rank">${rank}</span>${picture(agent)}<span class="who"><b>${agent.displayName}</b><small>${agent.partnerName}</small></span>${trend(agent.ratingTrend)}<span class="rating">${number(agent.eloRating)}</span></li>`,
  )}</ol>
</div>
</section>`
}

type Way = { href: string; title: string; text: string; icon: string }

const waysOf = (campaign: HomeFigures['campaign'], production: boolean): Way[] => [
  {
    href: '/console',
    title: 'Console',
    text: 'Run everything: users, games and their odds, campaigns, codes, lotteries, webhooks.',
    icon: 'M4 5h16v5H4zM4 14h7v5H4zM15 14h5v5h-5z',
  },
  {
    href: '/arena',
    title: 'Arena',
    text: 'Software agents play each other. Watch every move as it is made.',
    icon: 'M5 5l9 9M13 17l4-4M5 19l9-9M13 7l4 4M17 17l2 2M17 7l2-2',
  },
  ...(campaign
    ? [
        {
          href: '/campaign/demo/summer-sale',
          title: campaign.name,
          text: 'A campaign as users see it: prizes, ways to earn points, the top ten.',
          icon: 'M4 9h16v4H4zM6 13v7h12v-7M12 9v11M12 9c-4 0-5-5-2-5 2 0 2 3 2 5 0-2 0-5 2-5 3 0 2 5-2 5z',
        },
      ]
    : []),
  {
    href: '/docs/widgets',
    title: 'Widgets',
    text: 'A wheel, slots, offers, a leaderboard on your own page, in two lines of HTML.',
    icon: 'M12 3a9 9 0 1 0 9 9h-9zM15 3.5A9 9 0 0 1 20.5 9H15z',
  },
  {
    href: '/docs/graphql',
    title: 'GraphQL guide',
    text: 'From a first query to a live match on a page of your own.',
    icon: 'M12 4l7 4v8l-7 4-7-4V8zM12 4l7 12H5z',
  },
  {
    href: '/docs',
    title: 'REST reference',
    text: 'Every path, field and error. Try them with your keys.',
    icon: 'M8 6l-5 6 5 6M16 6l5 6-5 6M13 5l-2 14',
  },
  ...(production
    ? []
    : [
        {
          href: '/graphql',
          title: 'GraphiQL',
          text: 'Explore and query the schema in the browser.',
          icon: 'M5 5h14v14H5zM8 9l3 3-3 3M13 15h3',
        },
      ]),
]

const wayHtml = ({ href, title, text, icon }: Way) =>
  html`<li><a class="way" href="${href}"><svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="${icon}"/></svg><b>${title}</b><span>${text}</span></a></li>`

const award = `curl $HOST/v1/points/award \\
  -H "X-API-Secret: $SECRET" \\
  -H "Content-Type: application/json" \\
  -d '{"userId": "alice", "eventType": "signup"}'`

const play = `mutation {
  playGame(input: {
    user: { externalId: "alice" }
    gameType: NEON_WHEEL
  }) {
    ... on PlayGamePayload {
      play { reward { label } }
      user { balance }
    }
  }
}`

const hero = html`<header class="hero">
${wall(16, 7)}
<div class="shade"></div>
<nav class="wrap top" aria-label="Tessera">
  <a class="brand" href="/" aria-current="page">${sign}Tessera</a>
  <span class="links"><a href="/arena">Arena</a><a href="/docs/graphql">Guide</a><a href="/docs">REST</a><a class="enter" href="/console">Console</a></span>
</nav>
<div class="wrap claim">
  <h1>Reward what people do in your product.</h1>
  <p>Tessera keeps points, games of chance, campaigns, lotteries and an arena for your users.
  Your server says what happened, Tessera draws, counts and pays, and tells you by signed webhooks.
  Everything is one GraphQL API, the same as REST, and every draw can be checked by anyone.</p>
  <p class="actions"><a class="button" href="/console">Open the console</a><a class="button plain" href="/docs/graphql">Read the guide</a></p>
</div>
</header>`

/** @param figures null if they could not be read */
export const homePage = (
  figures: HomeFigures | null,
  { production }: { production: boolean },
): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tessera</title>
<meta name="description" content="Points, games of chance, campaigns, lotteries and an arena for your users: one GraphQL API, and the same as REST.">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/arena/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/home.css">
<link rel="stylesheet" href="/home-hero.css">
<script type="module" src="/home.js"></script>
</head>
<body>
${hero}
<main>
${figures && figuresHtml(figures)}
<section class="wrap" aria-labelledby="ways-title">
  <h2 id="ways-title">Ways in</h2>
  <ul class="ways">${waysOf(figures?.campaign ?? null, production).map(wayHtml)}</ul>
</section>
${figures && arenaHtml(figures)}
<section class="wrap split" aria-label="Examples">
<figure><figcaption>Your server awards points, by REST</figcaption><pre tabindex="0"><code>${award}</code></pre></figure>
<figure><figcaption>Your app plays, in GraphQL</figcaption><pre tabindex="0"><code>${play}</code></pre></figure>
</section>
</main>
<footer class="wrap"><a href="/docs/widgets">Widgets</a><a href="/docs/webhooks">Webhooks</a><a href="/docs/events">Events</a><a href="/docs/errors">Errors</a><a href="/docs/verify-a-draw">Verify a draw</a><a href="/openapi.json">OpenAPI 3.1</a><a href="/readyz">Health</a></footer>
</body>
</html>
`.text
