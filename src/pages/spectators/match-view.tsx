/** The page of a match. */

import type { FinishedRound } from '../../../packages/client/src/match-state.ts'
import { lookOf } from './all-looks.ts'
import { Frame, type Link } from './frame.tsx'
import { moveTexts } from './move-words.ts'
import { ago, plural, sideClass, sideOf } from './page-words.ts'
import { Stage } from './stage.tsx'
import type { Agent, Match, MatchState } from './wire.ts'

/** A replay of a finished match. */
type Replay = {
  /** The number of events shown, and the total. */
  position: number
  length: number
  playing: boolean
  speed: number
}

export type MatchView = {
  /** The state that is shown. During a replay it is not the newest. */
  state: MatchState
  link: Link
  now: number
  announcement: string
  /** Null while the match is in progress, and until it is loaded. */
  replay: Replay | null
}

export type MatchActions = {
  play(): void
  pause(): void
  seek(position: number): void
  setSpeed(speed: number): void
  showGame(roundNumber: number): void
}

const speeds = [0.5, 1, 2, 4]

const Replayer = ({ replay, act }: { replay: Replay; act: MatchActions }) => {
  const { position, length, playing, speed } = replay
  return (
    <fieldset class="replay">
      <legend class="unseen">Watch the match again</legend>
      <button
        type="button"
        class="play"
        aria-label={playing ? 'Pause' : 'Play'}
        onClick={playing ? act.pause : act.play}
      >
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          {playing ? <path d="M6 4h4v16h-4zM14 4h4v16h-4z" /> : <path d="M7 3.500v17l14-8.500z" />}
        </svg>
      </button>
      <input
        type="range"
        min={0}
        max={length}
        step={1}
        value={position}
        aria-label="Position in the match"
        aria-valuetext={`Event ${position} of ${length}`}
        onInput={(event) => act.seek(Number((event.target as HTMLInputElement).value))}
      />
      <label class="speed">
        <span class="unseen">Speed</span>
        <select
          value={String(speed)}
          onChange={(event) => act.setSpeed(Number((event.target as HTMLSelectElement).value))}
        >
          {speeds.map((value) => (
            <option key={value} value={String(value)} selected={value === speed}>
              {`${value}×`}
            </option>
          ))}
        </select>
      </label>
    </fieldset>
  )
}

const gameWords = (match: Match, { winnerSlot }: FinishedRound) =>
  winnerSlot === null ? 'Draw' : sideOf(match, winnerSlot).displayName

/** The moves of a game, or the fault by which it was lost. */
const detailWords = ({ gameType }: Match, game: FinishedRound) => {
  const { agent1Actions, agent2Actions } = game
  const fault = game.agent1Fault ?? game.agent2Fault
  if (fault) return fault.toLowerCase().replaceAll('_', ' ')
  const { describeGame } = lookOf(gameType)
  return (
    describeGame?.(agent1Actions, agent2Actions) ??
    plural(agent1Actions.length + agent2Actions.length, 'move')
  )
}

const Games = ({
  state,
  replay,
  act,
}: {
  state: MatchState
  replay: Replay | null
  act: MatchActions
}) => {
  const { match, rounds, current } = state
  if (rounds.length === 0) return <p class="soft">No game is over yet.</p>
  return (
    <ol class="games">
      {rounds.map((game) => {
        const shown = current?.roundNumber === game.roundNumber
        const content = (
          <>
            <span class="number">{String(game.roundNumber)}</span>
            <span class={`outcome ${sideClass(game.winnerSlot)}`}>{gameWords(match, game)}</span>
            <span class="soft detail">{detailWords(match, game)}</span>
          </>
        )
        return (
          <li key={game.roundNumber} class={shown ? 'shown' : ''}>
            {replay ? (
              <button
                type="button"
                title="Watch this game"
                onClick={() => act.showGame(game.roundNumber)}
              >
                {content}
              </button>
            ) : (
              <div>{content}</div>
            )}
          </li>
        )
      })}
    </ol>
  )
}

const Moves = ({ state: { match, current } }: { state: MatchState }) => {
  if (!current || current.moves.length === 0) return <p class="soft">No move yet.</p>
  const label = `Moves of game ${current.roundNumber}, newest first`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <ol class="moves" tabIndex={0} aria-label={label}>
      {current.moves
        .map((move, i) => (
          <li
            key={`${current.roundNumber}-${i}`}
            class={`${sideClass(move.slot)} ${move.fault ? 'fault' : ''}`}
          >
            <span class="number">{String(i + 1)}</span>
            <span>
              <b>{sideOf(match, move.slot).displayName}</b> {moveTexts(match.gameType, move)}
            </span>
          </li>
        ))
        .reverse()}
    </ol>
  )
}

const kinds = {
  RANKED: 'Ranked: it changes both ratings',
  FRIENDLY: 'Friendly: no rating is at stake',
  VALIDATION: 'Validation of an agent',
}

/** Its owner and its results so far. */
const recordOf = ({ profile }: Agent) =>
  profile
    ? `by ${profile.partnerName}; ${profile.wins} won, ${profile.losses} lost, ${profile.draws} drawn`
    : 'not public'

const Facts = ({ match, now }: { match: Match; now: number }) => (
  <dl class="facts">
    <div>
      <dt>Kind</dt>
      <dd>{kinds[match.matchType]}</dd>
    </div>
    {[match.agent1, match.agent2].map((agent, i) => (
      <div key={i}>
        <dt>{agent.displayName}</dt>
        <dd>{recordOf(agent)}</dd>
      </div>
    ))}
    {match.endedAt && (
      <div>
        <dt>Ended</dt>
        <dd>
          <time dateTime={match.endedAt}>{ago(match.endedAt, now)}</time>
        </dd>
      </div>
    )}
  </dl>
)

export const MatchPage = ({ view, act }: { view: MatchView; act: MatchActions }) => {
  const { state, link, now, announcement, replay } = view
  const { match, current } = state
  return (
    <Frame link={link} announcement={announcement}>
      <main id="content" class="match">
        <h1 class="unseen">{`${match.agent1.displayName} against ${match.agent2.displayName}`}</h1>
        <section class="show" aria-label="The match">
          <Stage state={state} now={now}>
            {replay && <Replayer key="replay" replay={replay} act={act} />}
          </Stage>
          {link === 'static' && (
            <noscript>
              <p class="banner">
                Without JavaScript this page stands still.{' '}
                <a href={`/arena/matches/${match.matchId}`}>Load it again</a> to see what has
                happened since.
              </p>
            </noscript>
          )}
        </section>
        <div class="aside">
          <section class="box">
            <h2>{current ? `Moves of game ${current.roundNumber}` : 'Moves'}</h2>
            <Moves state={state} />
          </section>
          <section class="box">
            <h2>Games</h2>
            <Games state={state} replay={replay} act={act} />
          </section>
          <section class="box">
            <h2>About</h2>
            <Facts match={match} now={now} />
          </section>
        </div>
      </main>
    </Frame>
  )
}
