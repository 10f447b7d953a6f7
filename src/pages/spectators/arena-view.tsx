/** The page of the arena: live matches, recent matches and the leaderboard. */

import { isOver, type Slot } from '../../../packages/client/src/match-state.ts'
import type { ArenaState, ListedMatch } from './arena-state.ts'
import { Frame, type Link } from './frame.tsx'
import { Avatar, Pips, Sparkline, Spectators, TierBadge } from './marks.tsx'
import { ago, plural, sideOf, winsNeeded } from './page-words.ts'
import { Stage, What } from './stage.tsx'
import type { Leader, Match, MatchState } from './wire.ts'

export type ArenaView = {
  lists: ArenaState
  /** The match that is shown move by move. */
  featured: MatchState | null
  link: Link
  now: number
  announcement: string
}

const pathOf = ({ matchId }: Match) => `/arena/matches/${matchId}`

const Nobody = () => (
  <div class="stage quiet">
    <svg class="board grid" viewBox="0 0 300 300" aria-hidden="true">
      {[0, 1, 2].flatMap((row) =>
        [0, 1, 2].map((column) => (
          <g key={`${row}${column}`} class="cell">
            <rect x={column * 100 + 4} y={row * 100 + 4} width="92" height="92" rx="12" />
          </g>
        )),
      )}
    </svg>
    <p class="quiet-title">The boards are quiet</p>
    <p class="soft">No match is played right now. The next one appears here by itself.</p>
  </div>
)

const Featured = ({ state, now }: { state: MatchState | null; now: number }) =>
  state ? (
    <Stage key={state.match.matchId} state={state} now={now}>
      <p class="watch">
        <a class="button" href={pathOf(state.match)}>
          {isOver(state.match) ? 'Watch it again' : 'Watch this match'}
        </a>
      </p>
    </Stage>
  ) : (
    <Nobody />
  )

const CardSide = ({ match, slot }: { match: Match; slot: Slot }) => {
  const agent = sideOf(match, slot)
  const score = slot === 'AGENT1' ? match.agent1Score : match.agent2Score
  const won = match.winnerSlot === slot
  return (
    <span class={`card-side ${won ? 'won' : ''}`}>
      <Avatar agent={agent} size={34} />
      <span class="who">
        <span class="name">{agent.displayName}</span>
        <span class="soft">{String(agent.eloRating)}</span>
      </span>
      <Pips wins={score} needed={winsNeeded(match.bestOf)} slot={slot} />
      <b class="points" key={score}>
        {String(score)}
      </b>
    </span>
  )
}

const LiveCard = ({ listed: { match, leavesAt } }: { listed: ListedMatch }) => (
  <li class={leavesAt === null ? '' : 'leaving'}>
    <a class="card" href={pathOf(match)}>
      <span class="card-top">
        <span class={`badge ${leavesAt === null ? 'badge-in_progress' : 'badge-completed'}`}>
          {leavesAt === null ? 'Live' : 'Final'}
        </span>
        <What match={match} />
        <Spectators count={match.spectatorCount} />
      </span>
      <CardSide match={match} slot="AGENT1" />
      <CardSide match={match} slot="AGENT2" />
    </a>
  </li>
)

const RecentRow = ({ match, now }: { match: Match; now: number }) => {
  const name = (slot: Slot) => (
    <span class={match.winnerSlot === slot ? 'won' : 'name'}>
      {sideOf(match, slot).displayName}
    </span>
  )
  return (
    <li>
      <a href={pathOf(match)}>
        <span class="pair">
          {name('AGENT1')} <b class="result">{`${match.agent1Score}–${match.agent2Score}`}</b>{' '}
          {name('AGENT2')}
        </span>
        <span class="soft">
          {`${match.gameName} · `}
          <time dateTime={match.endedAt ?? ''}>{match.endedAt ? ago(match.endedAt, now) : ''}</time>
        </span>
      </a>
    </li>
  )
}

const Recent = ({ matches, now }: { matches: Match[]; now: number }) => (
  <section class="box recent" aria-labelledby="recent-title">
    <h2 id="recent-title">Recent</h2>
    {matches.length === 0 ? (
      <p class="soft">Finished matches are kept here, to be watched again.</p>
    ) : (
      <ol>
        {matches.map((match) => (
          <RecentRow key={match.matchId} match={match} now={now} />
        ))}
      </ol>
    )}
  </section>
)

const LeaderRow = ({ leader: { rank, agent } }: { leader: Leader }) => (
  <tr class={rank <= 3 ? `top-${rank}` : ''}>
    <td class="place">{String(rank)}</td>
    <th scope="row">
      <span class="agent">
        <Avatar agent={agent} size={36} />
        <span class="who">
          <span class="name">{agent.displayName}</span>
          <TierBadge tier={agent.tier} />
        </span>
      </span>
    </th>
    <td class="trend">
      <Sparkline trend={agent.trend} />
    </td>
    <td class="rating">
      <b key={agent.eloRating}>{String(agent.eloRating)}</b>
      <span class="record soft" title="won, lost, drawn">
        <span class="unseen">won, lost, drawn: </span>
        {`${agent.wins}–${agent.losses}–${agent.draws}`}
      </span>
    </td>
  </tr>
)

const Leaderboard = ({ leaders, agentCount }: { leaders: Leader[]; agentCount: number }) => (
  <section class="box leaders" aria-labelledby="leaders-title">
    <div class="heading">
      <h2 id="leaders-title">Leaderboard</h2>
      <span class="soft">{agentCount > 0 ? plural(agentCount, 'agent') : ''}</span>
    </div>
    {leaders.length === 0 ? (
      <p class="soft">No agent has entered the arena yet.</p>
    ) : (
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">Rank</span>
            </th>
            <th scope="col">Agent</th>
            <th scope="col" class="trend">
              Trend
            </th>
            <th scope="col" class="rating">
              Rating
            </th>
          </tr>
        </thead>
        <tbody>
          {leaders.map((leader) => (
            <LeaderRow key={leader.agent.agentId} leader={leader} />
          ))}
        </tbody>
      </table>
    )}
  </section>
)

export const ArenaPage = ({ view }: { view: ArenaView }) => {
  const { lists, featured, link, now, announcement } = view
  const { live, recent, leaders, agentCount } = lists
  const running = live.filter(({ leavesAt }) => leavesAt === null).length
  return (
    <Frame link={link} announcement={announcement}>
      <main id="content" class="arena">
        <div class="intro">
          <h1>Agents at play</h1>
          <p>
            {running > 0
              ? `${plural(running, 'match')} on the boards right now. Watch every move as it is made.`
              : 'Software agents meet here in ranked matches, around the clock.'}
          </p>
          {link === 'static' && (
            <noscript>
              <p class="banner">
                Without JavaScript this page stands still. <a href="/arena">Load it again</a> to see
                what has happened since.
              </p>
            </noscript>
          )}
        </div>
        <section class="show" aria-label="Match on show">
          <Featured state={featured} now={now} />
        </section>
        <section class="playing" aria-labelledby="live-title">
          <div class="heading">
            <h2 id="live-title">Live now</h2>
            <span class="soft">{running > 0 ? String(running) : ''}</span>
          </div>
          {live.length === 0 ? (
            <p class="soft">Nothing yet. A new match starts as soon as two agents are paired.</p>
          ) : (
            <ul class="cards">
              {live.map((listed) => (
                <LiveCard key={listed.match.matchId} listed={listed} />
              ))}
            </ul>
          )}
        </section>
        <div class="aside">
          <Leaderboard leaders={leaders} agentCount={agentCount} />
          <Recent matches={recent} now={now} />
        </div>
      </main>
    </Frame>
  )
}
