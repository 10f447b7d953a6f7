/** Plays the next game of a match that this node holds. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ArenaAgent } from '../../generated/prisma/client.ts'
import type { Runtime } from '../../kit/runtime.ts'
import type { Game, Slot } from '../agent-games/agent-game.rules.ts'
import { gameOf } from '../agent-games/all-games.rules.ts'
import { readAgents } from '../agents/agent-read.ts'
import type { LoggedMove } from '../agents/move.ts'
import type { Players } from '../agents/player.ts'
import type { PastGame } from '../agents/strategies.rules.ts'
import { type EndedGame, endGame } from './end.ts'
import { endReasonTexts } from './end-reason.rules.ts'
import type { MatchEventData } from './event.ts'
import { matchStarted } from './match.events.ts'
import { firstSlotOf } from './match.rules.ts'
import { closeMatch } from './match.ts'
import { movesOf, playTurn } from './turn.ts'
import { advance, announce, type LeasedMatch, matchSummary } from './write.ts'

/** A match that has not begun this long after its scheduled time is cancelled. */
const startWithinMs = 15 * 60_000
/** The delay before checking again whether an agent is ready. */
const lookAgainMs = 5_000

type Pair = readonly [ArenaAgent, ArenaAgent]

const isReady = ({ matchType }: LeasedMatch, { status }: ArenaAgent) =>
  status === 'ACTIVE' ||
  (matchType === 'VALIDATION' && status !== 'SUSPENDED' && status !== 'RETIRED')

/** Begins a match; null if it was postponed or cancelled. */
const startMatch = async (
  runtime: Runtime,
  match: LeasedMatch,
  agents: Pair,
): Promise<LeasedMatch | null> => {
  const now = runtime.clock()
  if (now.getTime() - match.scheduledAt.getTime() > startWithinMs) {
    await closeMatch(runtime, match.id, endReasonTexts.NOT_STARTED)
    return null
  }
  if (!agents.every((agent) => isReady(match, agent))) {
    const dueAt = new Date(now.getTime() + lookAgainMs)
    await advance(runtime, match, {
      data: { dueAt, leaseToken: null, leaseUntil: null },
      events: [],
    })
    return null
  }
  const started = { ...match, status: 'IN_PROGRESS', startedAt: now } as const
  return advance(runtime, match, {
    data: { status: 'IN_PROGRESS', startedAt: now },
    events: [{ kind: 'MATCH_STARTED', data: {} }],
    also: (tx) =>
      announce({ ...runtime, tx }, match, matchStarted, {
        ...matchSummary(started, agents),
        startedAt: now.toISOString(),
      }),
  })
}

/** A game in progress: its state and the moves so far. */
type Position = { game: Game; state: unknown; moves: LoggedMove[]; startedAt: Date }

/** The next game of a match, resumed from the log if it was interrupted. */
const openGame = async (
  runtime: Runtime,
  match: LeasedMatch,
): Promise<{ match: LeasedMatch; position: Position }> => {
  const { db, clock } = runtime
  const game = gameOf(match.gameType)
  const gameNumber = match.totalGamesPlayed + 1
  const firstSlot = firstSlotOf(gameNumber)
  let state = game.start(firstSlot)
  const log = await db.arenaMatchEvent.findMany({
    where: { matchId: match.id, gameNumber },
    orderBy: { seq: 'asc' },
  })
  if (log.length === 0) {
    const turn = game.turn(state)
    const data: MatchEventData = { board: game.render(state), turn }
    const opened = await advance(runtime, match, {
      data: { currentGameNumber: gameNumber, nextGameAt: null },
      events: [
        {
          kind: 'GAME_STARTED',
          gameNumber,
          data: turn.length === 1 ? { firstSlot, ...data } : data,
        },
      ],
    })
    return { match: opened, position: { game, state, moves: [], startedAt: clock() } }
  }
  const turns = log.flatMap(({ data }) => (data as MatchEventData).moves ?? [])
  const perTurn = game.turn(state).length
  for (let i = 0; i < turns.length; i += perTurn)
    state = game.apply(state, movesOf(turns.slice(i, i + perTurn)))
  return {
    match,
    position: { game, state, moves: turns, startedAt: log[0]?.occurredAt ?? clock() },
  }
}

const wordsOf = (text: string) => (text ? text.split(' ') : [])

/** Reads the earlier games of a match; gives them from the perspective of a slot. */
const readPast = async ({ db }: Runtime, match: LeasedMatch) => {
  const games = await db.arenaMatchGame.findMany({
    where: { matchId: match.id },
    orderBy: { gameNumber: 'asc' },
  })
  return (slot: Slot): PastGame[] =>
    games.map(({ agent1Action, agent2Action }) => {
      const [first, second] = [wordsOf(agent1Action), wordsOf(agent2Action)]
      return slot === 1 ? { mine: first, theirs: second } : { mine: second, theirs: first }
    })
}

/**
 * Plays one game of a match to its end, and begins the match if necessary. Each move is written before the
 * next one is requested. When `signal` aborts, it stops between two moves and releases the match.
 * @throws LeaseLostError when the match was cancelled or is played by another node
 */
export const playGame = async (
  runtime: Runtime,
  players: Players,
  held: LeasedMatch,
  signal: AbortSignal,
): Promise<void> => {
  const { clock, config } = runtime
  const [agent1, agent2] = await readAgents(runtime, [held.agent1Id, held.agent2Id])
  const pair = [agent1, agent2] as Pair
  const started = held.status === 'SCHEDULED' ? await startMatch(runtime, held, pair) : held
  if (!started) return
  let { match, position } = await openGame(runtime, started)
  const { game } = position
  const gameNumber = match.totalGamesPlayed + 1
  const past = await readPast(runtime, match)
  const choose = (slot: Slot, state: unknown) => {
    const turn = { matchId: match.id, gameNumber, game, state, slot, history: past(slot) }
    return players.choose(pair[slot - 1] as ArenaAgent, turn)
  }
  const pause = () => sleep(config.arena.movePauseMs, undefined, { signal }).catch(() => {})

  // Gives spectators time to see the game begin.
  if (position.moves.length === 0) await pause()
  for (;;) {
    if (signal.aborted) {
      await advance(runtime, match, { data: { leaseToken: null, leaseUntil: null }, events: [] })
      return
    }
    const testsOther = position.moves.length === 0 && agent1 !== agent2
    const { moves, state: next, result } = await playTurn(game, position.state, choose, testsOther)
    position = { ...position, state: next, moves: [...position.moves, ...moves] }
    const turn = result ? [] : game.turn(next)
    const event = {
      kind: 'MOVES_MADE' as const,
      gameNumber,
      data: { moves, board: game.render(next), turn },
    }
    if (result) {
      const ended: EndedGame = {
        gameNumber,
        moves: position.moves,
        result,
        startedAt: position.startedAt,
        endedAt: clock(),
      }
      await endGame(runtime, match, pair, event, ended)
      return
    }
    match = await advance(runtime, match, { data: {}, events: [event] })
    await pause()
  }
}
