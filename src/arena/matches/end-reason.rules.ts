/** Why matches end otherwise than by rounds won. Rows and webhooks have texts, which REST answers; the schema has an enum. */

/** Faults in a row that lose a match. */
export const maxFaults = 3

/** What rows have. UNDECIDED differs by the number of rounds. */
export const endReasonTexts = {
  AGENT_CHANGED: 'The agent was changed',
  AGENT_RETIRED: 'An agent was retired',
  AGENT_SUSPENDED: 'An agent was suspended',
  CANCELLED_BY_OPERATOR: 'Cancelled by an operator',
  CANCELLED_BY_OWNER: 'Cancelled by an owner',
  FAULTS: `${maxFaults} games in a row were lost by faults`,
  NOT_STARTED: 'It did not start within 15 minutes',
  PARTNER_CLOSED: 'A partner was closed',
} as const

export type MatchEndReason = keyof typeof endReasonTexts | 'UNDECIDED'

export const endReasons: Record<MatchEndReason, string> = {
  AGENT_CHANGED: 'Cancelled: the validated agent was changed.',
  AGENT_RETIRED: 'Cancelled: an agent was retired.',
  AGENT_SUSPENDED: 'Cancelled: an operator suspended an agent.',
  CANCELLED_BY_OPERATOR: 'Cancelled by an operator.',
  CANCELLED_BY_OWNER: 'Cancelled by the partner of one of the agents.',
  FAULTS: `Completed: an agent, or both, lost ${maxFaults} rounds in a row by a fault.`,
  NOT_STARTED: 'Cancelled: it did not start within 15 minutes.',
  PARTNER_CLOSED: 'Cancelled: the partner of an agent was closed.',
  UNDECIDED: 'Completed as a draw: three times `bestOf` rounds decided nothing.',
}

const undecidedEnd = 'games decided nothing'

/** The text for a match that so many rounds did not decide. */
export const undecidedText = (roundCount: number): string => `${roundCount} ${undecidedEnd}`

const byText = new Map(
  Object.entries(endReasonTexts).map(([reason, text]) => [
    text as string,
    reason as MatchEndReason,
  ]),
)

/** The reason of a text; null without one. */
export const endReasonOf = (text: string | null | undefined): MatchEndReason | null =>
  text == null ? null : text.endsWith(undecidedEnd) ? 'UNDECIDED' : (byText.get(text) ?? null)
