/** Plays what is due, on every node: each match on one of them at a time, game by game. */
import { randomUUID } from 'node:crypto'
import type { Runtime } from '../../core/runtime.ts'
import { createPlayers, type Players } from '../agents/player.ts'
import { claimDueMatches } from './match.sql.ts'
import { playGame } from './match-play.ts'
import { type HeldMatch, LeaseLostError, leaseUntil } from './match-write.ts'

/** Matches that a node plays at the same time. */
const maxInFlight = 100
/** Those of them that one partner has scheduled, so that its slow agents leave room for others. */
const maxOfPartner = maxInFlight / 2
/** So often a node looks for what became due, beside being told. */
const pollMs = 500
/** How long a node that stops waits for moves that were asked for. */
const stopMs = 5_000

/** Takes matches that are due and that no living node plays, beside those that this node plays now. */
const claimMatches = async (
  runtime: Pick<Runtime, 'db' | 'clock' | 'config'>,
  playing: Iterable<HeldMatch> = [],
): Promise<HeldMatch[]> => {
  const held = [...playing]
  const heldOf = Map.groupBy(held, ({ partnerId }) => partnerId)
  const counts = [...heldOf].map(([id, matches]) => ({ id, held: matches.length }))
  const { db, clock } = runtime
  const now = clock()
  const token = randomUUID()
  const claimed = await claimDueMatches(
    db,
    {
      ...{ token, now, leaseUntil: leaseUntil(runtime) },
      ...{ limit: maxInFlight - held.length, limitOfPartner: maxOfPartner },
    },
    counts,
  )
  if (claimed.length === 0) return []
  const matches = await db.arenaMatch.findMany({
    where: { id: { in: claimed.map(({ id }) => id) }, leaseToken: token },
  })
  return matches as HeldMatch[]
}

const playHeld = async (
  runtime: Runtime,
  players: Players,
  match: HeldMatch,
  signal: AbortSignal,
) => {
  try {
    await playGame(runtime, players, match, signal)
  } catch (err) {
    // Whoever holds it now plays on; after a fault of ours the lease ends by itself.
    if (!(err instanceof LeaseLostError))
      runtime.log.warn({ err, matchId: match.id }, 'a match could not be played on')
  }
}

/** Plays one game of each match that is due now; gives how many there were. */
export const playDueMatches = async (runtime: Runtime, players: Players): Promise<number> => {
  const matches = await claimMatches(runtime)
  const { signal } = new AbortController()
  await Promise.all(matches.map((match) => playHeld(runtime, players, match, signal)))
  return matches.length
}

/** Takes part in playing until it is stopped; then it gives back what it holds. */
export const startMatches = (runtime: Runtime): (() => Promise<void>) => {
  const { log, pubsub } = runtime
  const players = createPlayers(runtime)
  const controller = new AbortController()
  const { signal } = controller
  const inFlight = new Set<HeldMatch>()
  let news = true
  let wake = () => {}
  const look = () => {
    news = true
    wake()
  }
  const unsubscribe = pubsub.on('match-due', look)
  const play = async (match: HeldMatch) => {
    inFlight.add(match)
    await playHeld(runtime, players, match, signal)
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
  const run = async () => {
    while (!signal.aborted) {
      if (!news) await rest()
      news = false
      if (signal.aborted || inFlight.size >= maxInFlight) continue
      try {
        for (const match of await claimMatches(runtime, inFlight)) void play(match)
      } catch (err) {
        log.warn({ err }, 'could not look for matches')
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
