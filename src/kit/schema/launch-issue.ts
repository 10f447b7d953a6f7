/** What speaks against a change that users will notice: what a check before it says. */
import { builder } from './builder.ts'
import { enumType } from './input.ts'

const SeverityRef = enumType('LaunchIssueSeverity', 'How serious an issue is.', {
  WARNING: 'It would work, but perhaps not as you want it.',
  BLOCKER: 'The change would have no effect.',
})

const codes = {
  ALREADY_OVER: 'Its end is in the past.',
  NO_DESCRIPTION: 'Its page says nothing about it.',
  NO_MECHANICS: 'Nothing in it gives points or prizes.',
  NO_PRIZES_LEFT: 'Events may win, but no prize is in stock.',
  NO_WIN_CHANCE: 'There are prizes, but the chance to win is 0.',
  PAYS_MORE_THAN_PRICE: 'The rewards of a play are worth more than it costs, on average.',
  REWARD_ARCHIVED: 'A prize gives a reward that is archived.',
  REWARD_RUNS_OUT: 'A reward has less stock than the prizes that give it.',
} as const

const CodeRef = enumType<keyof typeof codes>('LaunchIssueCode', 'What an issue is.', codes)

export type LaunchIssue = {
  severity: 'WARNING' | 'BLOCKER'
  code: keyof typeof codes
  /** The issue in one sentence. */
  message: string
}

export const LaunchIssueRef = builder.objectRef<LaunchIssue>('LaunchIssue').implement({
  description: 'Something to know before a change.',
  fields: (t) => ({
    severity: t.expose('severity', { type: SeverityRef, description: 'How serious it is.' }),
    code: t.expose('code', { type: CodeRef, description: 'What it is.' }),
    message: t.exposeString('message', { description: 'The issue in one sentence.' }),
  }),
})
