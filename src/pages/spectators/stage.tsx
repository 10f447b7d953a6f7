/** The view of a match: both sides, the score, the board, and what comes next. */

import { isOver, type Slot } from '../../../packages/client/src/match-state.ts'
import { lookOf } from './all-looks.ts'
import { Avatar, Pips, Spectators, TierBadge } from './marks.tsx'
import { resultTexts, secondsUntil, sideClass, sideOf, winsNeeded } from './page-words.ts'
import type { Match, MatchState } from './wire.ts'

const StatusBadge = ({ match }: { match: Match }) => {
  const words = {
    SCHEDULED: 'Soon',
    IN_PROGRESS: 'Live',
    COMPLETED: 'Final',
    CANCELLED: 'Cancelled',
  }
  return <span class={`badge badge-${match.status.toLowerCase()}`}>{words[match.status]}</span>
}

/** The game, and the length of the match. */
export const What = ({ match }: { match: Match }) => (
  <span class="what">
    <span>{match.gameName}</span> <span class="length">{`best of ${match.bestOf}`}</span>
  </span>
)

const Side = ({ match, slot, toMove }: { match: Match; slot: Slot; toMove: boolean }) => {
  const agent = sideOf(match, slot)
  const change =
    match.eloChange === null ? null : slot === 'AGENT1' ? match.eloChange : -match.eloChange
  const fate =
    match.status !== 'COMPLETED' || match.winnerSlot === null
      ? ''
      : match.winnerSlot === slot
        ? 'winner'
        : 'loser'
  return (
    <div class={`side ${sideClass(slot)} ${toMove ? 'to-move' : ''} ${fate}`}>
      <span class="portrait">
        <Avatar agent={agent} size={64} />
      </span>
      <p class="name">{agent.displayName}</p>
      <p class="rank">
        <TierBadge tier={agent.tier} />
        <span class="elo">
          <span class="unseen">rating </span>
          {String(agent.eloRating)}
          {change !== null && (
            <b class={change >= 0 ? 'gain' : 'drop'}>
              {change >= 0 ? `+${change}` : `−${-change}`}
            </b>
          )}
        </span>
      </p>
    </div>
  )
}

const Score = ({ match }: { match: Match }) => {
  const needed = winsNeeded(match.bestOf)
  return (
    <div class="score">
      <p aria-hidden="true">
        <b key={`a${match.agent1Score}`} class="side-1">
          {String(match.agent1Score)}
        </b>
        <i>:</i>
        <b key={`b${match.agent2Score}`} class="side-2">
          {String(match.agent2Score)}
        </b>
      </p>
      <p class="unseen">
        {`Score: ${match.agent1.displayName} ${match.agent1Score}, ${match.agent2.displayName} ${match.agent2Score}`}
      </p>
      <div class="pip-row">
        <Pips wins={match.agent1Score} needed={needed} slot="AGENT1" />
        <Pips wins={match.agent2Score} needed={needed} slot="AGENT2" />
      </div>
    </div>
  )
}

/** The longest time that the countdown ring shows. */
const ringSeconds = 5

const Countdown = ({ at, now, first }: { at: string; now: number; first: boolean }) => {
  const seconds = secondsUntil(at, now)
  const left = Math.min(1, Math.max(0, (Date.parse(at) - now) / 1000 / ringSeconds))
  return (
    <span class="countdown">
      <svg viewBox="0 0 36 36" width="30" height="30" aria-hidden="true">
        <circle class="track" cx="18" cy="18" r="15" />
        <circle
          class="rest"
          cx="18"
          cy="18"
          r="15"
          pathLength="1"
          stroke-dasharray={`${left.toFixed(3)} 2`}
          transform="rotate(-90 18 18)"
        />
      </svg>
      {seconds > 0
        ? `${first ? 'The match begins' : 'Next game'} in ${seconds > 90 ? `${Math.ceil(seconds / 60)} min` : `${seconds} s`}`
        : `${first ? 'The match' : 'The next game'} is about to begin`}
    </span>
  )
}

/** The current status, in one line below the board. */
const Caption = ({ state, now }: { state: MatchState; now: number }) => {
  const { match, current } = state
  if (isOver(match)) return <p class="caption result">{resultTexts(match)}</p>
  if (match.status === 'SCHEDULED')
    return (
      <p class="caption">
        <Countdown at={match.scheduledAt} now={now} first={true} />
      </p>
    )
  const winner = current?.result?.winnerSlot
  return (
    <p class="caption">
      {current?.result ? (
        <b class={sideClass(winner)}>
          {winner
            ? `${sideOf(match, winner).displayName} wins game ${current.roundNumber}`
            : `Game ${current.roundNumber} is a draw`}
        </b>
      ) : current ? (
        <span>
          <span class="soft">
            {`Game ${current.roundNumber}${current.turn.length > 0 ? ' · ' : ''}`}
          </span>
          {current.turn.length === 1 ? (
            <b class={sideClass(current.turn[0])}>
              {`${sideOf(match, current.turn[0] as Slot).displayName} to move`}
            </b>
          ) : current.turn.length > 1 ? (
            <b>Both choose, and neither sees the other</b>
          ) : null}
        </span>
      ) : null}
      {match.nextRoundAt && <Countdown key="next" at={match.nextRoundAt} now={now} first={false} />}
    </p>
  )
}

export const Stage = ({
  state,
  now,
  children,
}: {
  state: MatchState
  now: number
  children?: preact.ComponentChildren
}) => {
  const { match, current } = state
  const turn = match.status === 'IN_PROGRESS' ? (current?.turn ?? []) : []
  const { Board } = lookOf(match.gameType)
  return (
    <div class="stage">
      <div class="stage-top">
        <StatusBadge match={match} />
        <What match={match} />
        {!isOver(match) && <Spectators count={match.spectatorCount} />}
      </div>
      <div class="versus">
        <Side match={match} slot="AGENT1" toMove={turn.includes('AGENT1')} />
        <Score match={match} />
        <Side match={match} slot="AGENT2" toMove={turn.includes('AGENT2')} />
      </div>
      <div class="board-place" key={current?.roundNumber ?? 0}>
        <Board match={match} game={current} />
      </div>
      <Caption state={state} now={now} />
      {children}
    </div>
  )
}
