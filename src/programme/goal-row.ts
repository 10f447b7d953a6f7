/** The rows of new goals. */
import { v7 as uuid } from 'uuid'
import type { z } from 'zod'
import type { Goal, Prisma } from '../generated/prisma/client.ts'
import type { CreateGoal, NewTask } from './goal-input.ts'

/** The row of the `n`-th task of a goal, counted from 0. */
export const rowOfTask = ({ name, target, measure }: NewTask, n: number) => {
  const { facts, eventTypes, campaignId, gameType, where, of, attribute } = measure
  return {
    id: uuid(),
    position: n + 1,
    name,
    target,
    facts: [...new Set(facts)],
    eventTypes: [...new Set(eventTypes ?? [])],
    campaignId,
    gameType,
    conditions: (where ?? []) as Prisma.InputJsonArray,
    of: of ?? 'COUNT',
    attribute,
  }
}

/** A goal with as many completions of a window as its repetition allows. */
export const limitOf = (repeat: Goal['repeat'], maxCompletions: number | null | undefined) =>
  repeat === 'UNLIMITED' ? (maxCompletions ?? null) : 1

/** The row of a draft, without its tasks. */
export const rowOfGoal = (
  plan: Omit<z.output<typeof CreateGoal>, 'tasks' | 'rewards' | 'requires' | 'streak'>,
  refersTo: { rewardIds: string[]; requires: string[] },
  now: Date,
) => {
  const { window, joinMode, repeat, maxCompletions, ...rest } = plan
  const given = Object.entries(rest).filter(([, value]) => value != null)
  return {
    ...(Object.fromEntries(given) as typeof rest),
    ...refersTo,
    position: rest.position ?? 0,
    isSecret: rest.isSecret ?? false,
    claim: rest.claim ?? 'AUTO',
    holdDays: rest.holdDays ?? 0,
    onReversal: rest.onReversal ?? 'REVOKE',
    countFrom: rest.countFrom ?? 'NOW',
    id: uuid(),
    joinMode: joinMode ?? 'AUTO',
    window: joinMode === 'OPT_IN' ? 'JOIN' : (window as Goal['window']),
    repeat,
    maxCompletions: limitOf(repeat, maxCompletions),
    createdAt: now,
    updatedAt: now,
  } as const
}
