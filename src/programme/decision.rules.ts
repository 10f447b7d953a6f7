/** What becomes of the completions of a user in a window. Pure: the decider reads, decides by this, and writes. */

/** A completion that the counters contradict. */
export type Contradicted = { id: string; k: number; round: number; rewardIds: string[] }

type Situation = {
  /** How often the counters have reached the targets, up to the limit of the goal. */
  steps: number
  /** Live completions in this window, and the most that there ever were. */
  live: number
  made: number
  /** Whether the goal can be completed only once, and is in another window. */
  isElsewhere: boolean
  /** Whether the user may complete it now. Nobody loses a completion for that. */
  isEligible: boolean
  /** Completions beyond the steps that are live, and within them that are not. */
  beyond: Contradicted[]
  within: Contradicted[]
}

export type Decision = {
  revoke: Contradicted[]
  /** To complete again. */
  renew: Contradicted[]
  /** The numbers of new completions. */
  complete: number[]
  /** Whether the user has to wait until something changes. */
  isBlocked: boolean
  /** Whether there is more to do than one transaction should. */
  isUnfinished: boolean
}

/**
 * Makes live completions what the counters say. It takes back at once, and adds only for those who may.
 * @param most the most completions of one decision
 */
export const decide = (situation: Situation, most: number): Decision => {
  const { steps, made, isElsewhere, isEligible, beyond, within } = situation
  const wanted = isElsewhere ? 0 : steps
  const missing = [
    ...within.filter(({ k }) => k <= wanted),
    ...Array.from({ length: Math.max(0, wanted - made) }, (_, n) => made + n + 1),
  ]
  const now = isEligible ? missing.slice(0, most) : []
  return {
    revoke: beyond.slice(0, most),
    renew: now.filter((item) => typeof item !== 'number'),
    complete: now.filter((item) => typeof item === 'number'),
    isBlocked: !isEligible && missing.length > 0 && beyond.length <= most,
    isUnfinished: beyond.length > most || (isEligible && missing.length > most),
  }
}
