/** Games report who has won. */
import { builder } from '../core/graphql/builder.ts'
import { mutation } from '../core/graphql/mutation.ts'
import {
  ReportArenaResult,
  ReportArenaServerResult,
  type ReportedResult,
  reportArenaResults,
} from './arena-result.ts'
import { liveTenant } from './live-only.ts'

const ReportArenaResultPayload = builder
  .objectRef<ReportedResult>('ReportArenaResultPayload')
  .implement({
    description: 'What became of a reported result.',
    fields: (t) => ({
      sessionId: t.string({
        description: 'UUID of the session.',
        resolve: ({ session }) => session.id,
      }),
      winnerId: t.exposeString('winnerId', { description: 'Who has won, as it was reported.' }),
      prizePool: t.int({
        description: 'What the players had put in.',
        resolve: ({ session }) => session.prizePool,
      }),
      developerShare: t.int({
        description: 'What the developer got; 0 while more reports are awaited.',
        resolve: ({ session }) => session.developerShare ?? 0,
      }),
      winnerPrize: t.int({
        description: 'What the winner got; 0 while more reports are awaited.',
        resolve: ({ session }) => session.winnerPrize ?? 0,
      }),
      awaitingReports: t.int({
        nullable: true,
        description:
          'Under QUORUM: reports still wanted before the prize is paid; null when it is.',
        resolve: ({ awaitingReports }) => awaitingReports || null,
      }),
    }),
  })

mutation('reportArenaResult', {
  description:
    'Reports the result of a session: the first one that counts pays the prize. Needs no API key, but a session token where the session says so (`X-Session-Token`, `token`, or `token` inside `resultsJson`). The same result again gets the same answer.',
  key: 'anyone',
  input: ReportArenaResult,
  payload: ReportArenaResultPayload,
  errors: [
    'SESSION_NOT_FOUND',
    'WRONG_REPORTER',
    'INVALID_SESSION_TOKEN',
    'RESULT_ALREADY_REPORTED',
    'SESSION_NOT_IN_PROGRESS',
  ],
  resolve: (input, ctx) =>
    ctx.write(reportArenaResults, {
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
  payload: ReportArenaResultPayload,
  errors: [
    'LIVE_ONLY',
    'SESSION_NOT_FOUND',
    'WRONG_REPORTER',
    'RESULT_ALREADY_REPORTED',
    'SESSION_NOT_IN_PROGRESS',
  ],
  resolve: (input, ctx, caller) =>
    ctx.write(reportArenaResults, {
      ...input,
      config: ctx.config,
      reporterId: liveTenant(caller).partnerId,
    }),
})
