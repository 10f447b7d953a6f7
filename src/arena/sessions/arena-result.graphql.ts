/** Games report results. */
import type { Context } from '../../kit/access/context.ts'
import { mutation } from '../../kit/schema/mutation.ts'
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
    description:
      'Under QUORUM: reports still needed until the prize is paid; null once it is paid.',
  },
} as const

const report = async (ctx: Context, input: Report) => {
  const { session, winnerId, awaitingReports } = await ctx.write(reportArenaResults, input)
  return { arenaSession: session, winnerId, awaitedReportCount: awaitingReports || null }
}

mutation('reportArenaResult', {
  description:
    'Reports the result of a session. The first valid result pays the prize. Requires no API key, but a session token if the result policy says so (`X-Session-Token`, `token`, or `token` inside `resultsJson`). Reporting the same result again returns the same response.',
  key: 'anyone',
  isAudited: false,
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
    report(ctx, { ...input, token: ctx.header?.('x-session-token') ?? input.token }),
})

mutation('reportArenaServerResult', {
  description:
    "Reports the result of a session whose result policy is SERVER, from the developer's server, and pays the prize. Reporting the same result again returns the same response.",
  key: 'secret',
  right: 'ARENA_WRITE',
  isAudited: false,
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
    report(ctx, { ...input, reporterId: liveTenant(caller).partnerId }),
})
