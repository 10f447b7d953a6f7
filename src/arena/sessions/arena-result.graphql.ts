/** Games report results. */
import type { Context } from '../../core/context.ts'
import { mutation } from '../../core/graphql/mutation.ts'
import { liveTenant } from '../live-only.ts'
import {
  type Report,
  ReportArenaResult,
  ReportArenaServerResult,
  reportArenaResults,
} from './arena-result.ts'
import { ArenaSessionRef } from './arena-session.graphql.ts'

const payload = {
  arenaSession: ArenaSessionRef,
  winnerId: { type: 'ID', description: 'The reported winner.' },
  awaitedReportCount: {
    type: 'Int',
    nullable: true,
    description: 'Under QUORUM: reports still needed before the prize is paid; null once it is.',
  },
} as const

const report = async (ctx: Context, input: Report) => {
  const { session, winnerId, awaitingReports } = await ctx.write(reportArenaResults, input)
  return { arenaSession: session, winnerId, awaitedReportCount: awaitingReports || null }
}

mutation('reportArenaResult', {
  description:
    'Reports the result of a session: the first one that counts pays the prize. Needs no API key, but a session token where the session says so (`X-Session-Token`, `token`, or `token` inside `resultsJson`). The same result again gets the same answer.',
  key: 'anyone',
  input: ReportArenaResult,
  payload,
  errors: [
    'SESSION_NOT_FOUND',
    'WRONG_REPORTER',
    'INVALID_SESSION_TOKEN',
    'RESULT_ALREADY_REPORTED',
    'SESSION_NOT_IN_PROGRESS',
  ],
  resolve: (input, ctx) =>
    report(ctx, {
      ...input,
      token: ctx.header?.('x-session-token') ?? input.token,
      config: ctx.config,
    }),
})

mutation('reportArenaServerResult', {
  description:
    "The server of a game's developer reports the result of a session whose result policy is SERVER, and the prize is paid. The same result again gets the same answer.",
  key: 'secret',
  input: ReportArenaServerResult,
  payload,
  errors: [
    'LIVE_ONLY',
    'SESSION_NOT_FOUND',
    'WRONG_REPORTER',
    'RESULT_ALREADY_REPORTED',
    'SESSION_NOT_IN_PROGRESS',
  ],
  resolve: (input, ctx, caller) =>
    report(ctx, {
      ...input,
      config: ctx.config,
      reporterId: liveTenant(caller).partnerId,
    }),
})
