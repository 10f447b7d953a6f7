/** Results that games report, without any API key (interface: POST …/result). */

import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { ArenaPlayer, ArenaReport, Prisma } from '../../generated/prisma/client.ts'
import { inTransaction } from '../../kit/database/db.ts'
import { TesseraError } from '../../kit/errors.ts'
import { decodeNodeId } from '../../kit/node-id.ts'
import type { Keys, Work } from '../../kit/runtime.ts'
import { findInexact, integer, reference, text } from '../../kit/validation.ts'
import { id } from '../arena-input.ts'
import { isSameOutcome, majorityOf, type SessionOutcome, standingOf } from './session.rules.ts'
import { lockSessions, readSessionToken, type SessionWithPlayers } from './session.ts'
import { type Settled, settleSessions } from './settlement.ts'

type Vote = Pick<ArenaReport, 'sessionId' | 'playerId' | 'winnerId' | 'reportedAt'> & {
  scores: unknown
}

const outcomeOfVote = ({ winnerId, scores }: Vote): SessionOutcome => ({
  winnerId,
  scores: scores as SessionOutcome['scores'],
})

/** Reports so far of the sessions under QUORUM. */
const findVotes = async (
  { tx }: Work,
  sessions: Map<string, SessionWithPlayers>,
): Promise<Vote[]> => {
  const ids = [...sessions.values()]
    .filter(({ resultPolicy, status }) => resultPolicy === 'QUORUM' && status === 'IN_PROGRESS')
    .map(({ id }) => id)
  return ids.length === 0 ? [] : tx.arenaReport.findMany({ where: { sessionId: { in: ids } } })
}

const findVote = (
  votes: Vote[],
  session: SessionWithPlayers,
  playerId: string | null,
): Vote | undefined =>
  votes.find(
    (vote) => vote.sessionId === session.id && playerId !== null && vote.playerId === playerId,
  )

/**
 * Votes still needed for an outcome. Each partner's backend holds the tokens of its players, so when points
 * of several partners are at stake, more than half of each partner's players must agree. No partner can
 * outvote another by seating more players.
 */
const missingVotes = (
  session: SessionWithPlayers,
  votes: Vote[],
  outcome: SessionOutcome,
): number => {
  if (session.resultPolicy !== 'QUORUM') return 0
  const agreeing = new Set(
    votes
      .filter(
        (vote) => vote.sessionId === session.id && isSameOutcome(outcomeOfVote(vote), outcome),
      )
      .map(({ playerId }) => playerId),
  )
  const groups = Map.groupBy(session.players, ({ partnerId }) => session.entryFee > 0 && partnerId)
  return [...groups.values()].reduce((missing, players) => {
    const votes = players.filter(({ id }) => agreeing.has(id)).length
    return missing + Math.max(0, majorityOf(players.length) - votes)
  }, 0)
}

const maxResultsBytes = 64 * 1024
const maxScore = 2_147_483_647

/** A value as JSON; null for one that is too deeply nested to serialize. */
const jsonOf = (value: unknown): string | null => {
  try {
    return JSON.stringify(value)
  } catch {
    return null
  }
}

/** Free-form results of any depth, which are stored as text. */
const results = () =>
  z
    .custom<NonNullable<unknown>>((value) => value != null, 'is required')
    .superRefine((value, ctx) => {
      const path = findInexact(value)
      if (path)
        ctx.addIssue({
          code: 'custom',
          path: path.slice(0, 16),
          message: 'must not be a number that would lose digits; send it as text',
        })
      else if (Buffer.byteLength(jsonOf(value) ?? '') > maxResultsBytes)
        ctx.addIssue(`must be at most ${maxResultsBytes / 1024} KB as JSON`)
    })
    .meta({ graphql: 'JSON' })

/** A player by their global id. Any other text is kept, and refused later as unknown. */
const playerOf = (text: string): string => {
  const named = decodeNodeId(text)
  return named?.typename === 'ArenaPlayer' ? named.id : text
}

const fields = {
  arenaSessionId: id('ArenaSession').describe('The session, by its global id or its UUID.'),
  winnerId: reference().meta({ graphql: 'ID' }).transform(playerOf).describe('The player who won.'),
  scores: z
    .array(
      z
        .object({
          arenaPlayerId: z
            .string()
            .meta({ graphql: 'ID' })
            .transform(playerOf)
            .describe('The player of the session, by global id or UUID.'),
          score: integer(-maxScore, maxScore).describe('Their score.'),
        })
        .meta({ graphql: 'ArenaScoreInput' })
        .describe('The score of a player.'),
    )
    .refine(
      (scores) => new Set(scores.map(({ arenaPlayerId }) => arenaPlayerId)).size === scores.length,
      'must name each player once',
    )
    .nullish()
    .describe("The players' scores, each player at most once."),
  results: results()
    .nullish()
    .describe(
      'Additional results as the game defines them, 64 KB of JSON at most. They are public with the session.',
    ),
}

export const ReportArenaResult = z
  .object({
    ...fields,
    token: text(255)
      .nullish()
      .describe(
        'The session token of a player, unless it is in X-Session-Token. Required unless the result policy is OPEN.',
      ),
  })
  .describe('The result of a session.')
export type ReportArenaResult = Omit<z.output<typeof ReportArenaResult>, 'arenaSessionId'> & {
  sessionId: string
}

export const ReportArenaServerResult = z
  .object(fields)
  .describe("The result of a session, from the developer's server.")

export type Report = ReportArenaResult & {
  /** The partner whose server reports, identified by its secret key. */
  reporterId?: string
}

type ReportedResult = {
  session: SessionWithPlayers
  /** The reported winner. */
  winner: ArenaPlayer
  /** Reports still needed under QUORUM; 0 once the session is settled. */
  awaitingReports: number
}

const refuse = (errors: { field: string; message: string }[]) =>
  new TesseraError('VALIDATION_FAILED', {
    errors: errors.map(({ field, message }) => ({
      field,
      code: 'invalid',
      message: `${field} ${message}`,
    })),
  })

/**
 * The outcome of a report in terms of the session's players. A player is named by their own id. The documented REST
 * route also names them by the UUID of their partner, if that partner has one player.
 * @throws TesseraError VALIDATION_FAILED
 */
const readOutcome = (session: SessionWithPlayers, report: ReportArenaResult): SessionOutcome => {
  const find = (name: string) => {
    const id = name.toLowerCase()
    const own = session.players.find((player) => player.id === id)
    const ofPartner = session.players.filter((player) => player.partnerId === id)
    return own ?? (ofPartner.length === 1 ? ofPartner[0] : undefined)
  }
  const winner = find(report.winnerId)
  const scores: Record<string, number> = {}
  const errors = winner ? [] : [{ field: 'winnerId', message: 'is not a player of this session' }]
  report.scores?.forEach(({ arenaPlayerId, score }, n) => {
    const player = find(arenaPlayerId)
    if (player) scores[player.id] = score
    else
      errors.push({
        field: `scores.${n}.arenaPlayerId`,
        message: 'is not a player of this session',
      })
  })
  if (!winner || errors.length > 0) throw refuse(errors)
  return { winnerId: winner.id, scores }
}

/** The outcome of a completed session. */
const outcomeOf = ({ winnerId, players }: SessionWithPlayers): SessionOutcome => ({
  winnerId: winnerId as string,
  scores: Object.fromEntries(
    players.flatMap(({ id, score }) => (score === null ? [] : [[id, score]])),
  ),
})

/** The changes that the reports of a list have made so far. */
type Taken = { votes: Vote[]; settled: Settled[]; rows: Prisma.ArenaReportCreateManyInput[] }

/**
 * Takes a report: a vote, the deciding report, or a repetition.
 * @throws TesseraError for a refused report
 */
const takeReport = (
  keys: Keys,
  session: SessionWithPlayers,
  report: Report,
  { votes, settled, rows }: Taken,
  now: Date,
): ReportedResult => {
  const { token, results } = report
  const playerId = readVoter(keys, session, token, report)
  const outcome = readOutcome(session, report)
  const winner = session.players.find(({ id }) => id === outcome.winnerId) as ArenaPlayer
  const answer = (awaitingReports: number) => ({ session, winner, awaitingReports })
  const decided =
    session.status === 'COMPLETED'
      ? outcomeOf(session)
      : settled.find((item) => item.session === session)?.outcome
  const vote = findVote(votes, session, playerId)
  const before = decided ?? (vote && outcomeOfVote(vote))
  if (before && !isSameOutcome(before, outcome)) {
    const doneAt = decided ? (session.completedAt ?? now) : (vote?.reportedAt ?? null)
    throw new TesseraError('RESULT_ALREADY_REPORTED', { doneAt })
  }
  if (decided) return answer(0)
  if (session.status !== 'IN_PROGRESS' || session.expiresAt <= now)
    throw new TesseraError('SESSION_NOT_IN_PROGRESS', standingOf(session, now))
  if (!before) {
    const row = {
      id: uuid(),
      sessionId: session.id,
      playerId,
      ...outcome,
      resultsJson: results == null ? null : jsonOf(results),
      reportedAt: now,
    }
    votes.push(row)
    rows.push(row)
  }
  const missing = missingVotes(session, votes, outcome)
  if (missing > 0) return answer(missing)
  settled.push({ session, outcome })
  return answer(0)
}

/**
 * Records results in the order of the list, in a constant number of statements. The report that decides a
 * session ends it and pays in the same transaction. Repeating a result gets the same answer; a different
 * result is refused.
 *
 * The result of a refused report is SESSION_NOT_FOUND, WRONG_REPORTER, INVALID_SESSION_TOKEN,
 * VALIDATION_FAILED, RESULT_ALREADY_REPORTED or SESSION_NOT_IN_PROGRESS, checked in this order.
 */
export const reportArenaResults = (
  work: Work,
  reports: Report[],
): Promise<(ReportedResult | Error)[]> =>
  inTransaction(work, async (work) => {
    const now = work.clock()
    const sessions = await lockSessions(
      work,
      reports.map(({ sessionId }) => sessionId),
    )
    const taken: Taken = { votes: await findVotes(work, sessions), settled: [], rows: [] }
    const results = reports.map((report): ReportedResult | Error => {
      const session = sessions.get(report.sessionId)
      if (!session) return new TesseraError('SESSION_NOT_FOUND')
      try {
        return takeReport(work.keys, session, report, taken, now)
      } catch (error) {
        if (error instanceof TesseraError) return error
        throw error
      }
    })
    if (taken.rows.length > 0) await work.tx.arenaReport.createMany({ data: taken.rows })
    await settleSessions(work, taken.settled)
    return results
  })

/**
 * The player who reports; null where the policy needs none.
 * @throws TesseraError WRONG_REPORTER, INVALID_SESSION_TOKEN
 */
const readVoter = (
  keys: Keys,
  session: SessionWithPlayers,
  token: string | null | undefined,
  { reporterId }: Report,
): string | null => {
  const isByServer = session.resultPolicy === 'SERVER'
  if (isByServer ? reporterId !== session.gamePartnerId : reporterId !== undefined)
    throw new TesseraError('WRONG_REPORTER')
  if (isByServer || session.resultPolicy === 'OPEN') return null
  const playerId = token ? readSessionToken(keys, session.id, token) : null
  if (!playerId || !session.players.some(({ id }) => id === playerId))
    throw new TesseraError('INVALID_SESSION_TOKEN')
  return playerId
}
