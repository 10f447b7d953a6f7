/** Plays due matches, game by game. Every node takes part; each match is on one node at a time. */
import { randomUUID } from 'node:crypto'
import { createFailureLog } from '../../kit/observability/log.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { createPlayers, type Players } from '../agents/player.ts'
import { claimDueMatches } from './match.sql.ts'
import { playGame } from './play.ts'
import { type LeasedMatch, LeaseLostError, leaseUntil } from './write.ts'

/** The maximum number of matches that a node plays at the same time. */
const maxInFlight = 100
/** The limit per partner, so that slow agents leave room for others. */
const maxOfPartner = maxInFlight / 2
/** How often a node looks for due matches, in addition to notifications. */
const pollMs = 500
/** How long a stopping node waits for requested moves. */
const stopMs = 5_000

/** Claims due matches that no live node plays, up to the limits of this node. */
const claimMatches = async (
  runtime: Pick<Runtime, 'db' | 'clock' | 'config'>,
  playing: Iterable<LeasedMatch> = [],
): Promise<LeasedMatch[]> => {
  const held = [...playing]
  const heldOf = Map.groupBy(held, ({ partnerId }) => partnerId)
  const counts = [...heldOf].map(([id, matches]) => ({ id, held: matches.length }))
  const { db, clock } = runtime
  const now = clock()
  const token = randomUUID()
  const claimed = await claimDueMatches(
    db,
    {
      token,
      now,
      leaseUntil: leaseUntil(runtime),
      limit: maxInFlight - held.length,
      limitOfPartner: maxOfPartner,
    },
    counts,
  )
  if (claimed.length === 0) return []
  const matches = await db.arenaMatch.findMany({
    where: { id: { in: claimed.map(({ id }) => id) }, leaseToken: token },
  })
  return matches as LeasedMatch[]
}

const playClaimedMatch = async (
  runtime: Runtime,
  players: Players,
  match: LeasedMatch,
  signal: AbortSignal,
) => {
  try {
    await playGame(runtime, players, match, signal)
  } catch (err) {
    // Another node holds the match now, or our lease will expire.
    if (!(err instanceof LeaseLostError))
      runtime.log.warn({ err, matchId: match.id }, 'a match could not be continued')
  }
}

/** Plays one game of each match that is due now. Returns how many. */
export const playDueMatches = async (runtime: Runtime, players: Players): Promise<number> => {
  const matches = await claimMatches(runtime)
  const { signal } = new AbortController()
  await Promise.all(matches.map((match) => playClaimedMatch(runtime, players, match, signal)))
  return matches.length
}

/** Plays matches until it is stopped, then releases those it holds. */
export const startMatches = (runtime: Runtime): (() => Promise<void>) => {
  const { log, pubsub } = runtime
  const players = createPlayers(runtime)
  const controller = new AbortController()
  const { signal } = controller
  const inFlight = new Set<LeasedMatch>()
  let isDue = true
  let wake = () => {}
  const look = () => {
    isDue = true
    wake()
  }
  const unsubscribe = pubsub.on('match-due', look)
  const play = async (match: LeasedMatch) => {
    inFlight.add(match)
    await playClaimedMatch(runtime, players, match, signal)
    inFlight.delete(match)
    look()
  }
  const rest = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const logFailure = createFailureLog(log, 'could not look for matches')
  const run = async () => {
    while (!signal.aborted) {
      if (!isDue) await rest()
      isDue = false
      if (signal.aborted || inFlight.size >= maxInFlight) continue
      try {
        for (const match of await claimMatches(runtime, inFlight)) void play(match)
      } catch (err) {
        logFailure(err)
        await rest()
      }
    }
  }
  const running = run()
  return async () => {
    controller.abort()
    unsubscribe()
    wake()
    await running
    const deadline = Date.now() + stopMs
    while (inFlight.size > 0 && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20))
    await players.close()
  }
}
