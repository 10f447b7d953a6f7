/** Pure functions that classify users by activity, rules and time (interface: Computed user classification). */
import type { EngagementTier, LifecycleStage } from '../generated/prisma/enums.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** The windows of the profile, in days. They include their first moment. */
export const windows = { short: 7, long: 30 } as const

/** The default rules, which a partner can change: days, plays, points, and weights in percent. */
export const defaultRules = {
  newDays: 7,
  newMaxEvents: 3,
  atRiskDays: 14,
  churnedDays: 30,
  engagedPlays: 10,
  engagedCampaigns: 1,
  powerUserPlays: 30,
  powerUserScore: 70,
  regularTierPlays: 5,
  powerUserTierPlays: 15,
  whaleTierPlays: 51,
  recencyWeight: 30,
  frequencyWeight: 30,
  monetaryWeight: 20,
  breadthWeight: 20,
  recencyDays: 30,
  frequencyPlays: 30,
  monetaryPoints: 1000,
  breadthCampaigns: 5,
}

export type Rules = typeof defaultRules

/** Plays and points that leave the long window together, when `from` leaves it. */
export type WindowPart = { from: Date; plays: number; points: number }

/** The sum of a field over all parts. */
export const total = (parts: WindowPart[], field: 'plays' | 'points'): number =>
  parts.reduce((sum, part) => sum + part[field], 0)

/** The activity that a classification uses. */
export type Activity = {
  firstSeenAt: Date
  lastSeenAt: Date
  totalEvents: number
  campaignsJoined: number
  /** The long window, in parts. */
  recent: WindowPart[]
}

export type ScoreBreakdown = {
  recency: number
  frequency: number
  monetary: number
  breadth: number
}

export type Classification = {
  stage: LifecycleStage
  /** The reason for the stage as text. */
  reason: string
  tier: EngagementTier
  /** 0 to 100, one decimal. */
  score: number
  /** The four parts of the score, each 0 to 100 with one decimal, before weighting. */
  breakdown: ScoreBreakdown
}

const oneDecimal = (number: number) => Math.round(number * 10) / 10

/** Each part of the score, 0 to 100. */
const breakdownOf = (
  idleDays: number,
  plays: number,
  points: number,
  campaigns: number,
  rules: Rules,
): ScoreBreakdown => ({
  recency: 100 * Math.max(0, 1 - idleDays / rules.recencyDays),
  frequency: 100 * Math.min(1, plays / rules.frequencyPlays),
  monetary: 100 * Math.min(1, points / rules.monetaryPoints),
  breadth: 100 * Math.min(1, campaigns / rules.breadthCampaigns),
})

const weigh = (parts: ScoreBreakdown, rules: Rules): number =>
  oneDecimal(
    (parts.recency * rules.recencyWeight +
      parts.frequency * rules.frequencyWeight +
      parts.monetary * rules.monetaryWeight +
      parts.breadth * rules.breadthWeight) /
      100,
  )

const tierOf = (plays: number, rules: Rules): EngagementTier => {
  if (plays >= rules.whaleTierPlays) return 'whale'
  if (plays >= rules.powerUserTierPlays) return 'power_user'
  return plays >= rules.regularTierPlays ? 'regular' : 'casual'
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

/** A user who was seen ahead of our clock counts as active now. */
const daysSince = (moment: Date, now: Date) => Math.max(0, now.getTime() - moment.getTime()) / dayMs

const stageOf = (
  { totalEvents, campaignsJoined }: Activity,
  { idle, age, plays, score }: Pick<UserStanding, 'idle' | 'age' | 'plays' | 'score'>,
  rules: Rules,
): LifecycleStage => {
  if (idle > rules.churnedDays) return 'churned'
  if (idle >= rules.atRiskDays) return 'at_risk'
  if (plays >= rules.powerUserPlays && score >= rules.powerUserScore) return 'power_user'
  if (plays >= rules.engagedPlays && campaignsJoined >= rules.engagedCampaigns) return 'engaged'
  return age <= rules.newDays && totalEvents <= rules.newMaxEvents ? 'new' : 'active'
}

/** A classification without its reason, because finding the time of a change computes many of them. */
type UserStanding = Pick<Classification, 'stage' | 'tier' | 'score'> & {
  /** In days, like `age`. */
  idle: number
  age: number
  /** Plays in the long window. */
  plays: number
  parts: ScoreBreakdown
}

const standingAt = (activity: Activity, now: Date, rules: Rules): UserStanding => {
  let [plays, points] = [0, 0]
  for (const part of activity.recent)
    if (daysSince(part.from, now) <= windows.long) {
      plays += part.plays
      points += part.points
    }
  const idle = daysSince(activity.lastSeenAt, now)
  const age = daysSince(activity.firstSeenAt, now)
  const parts = breakdownOf(idle, plays, points, activity.campaignsJoined, rules)
  const score = weigh(parts, rules)
  const stage = stageOf(activity, { idle, age, plays, score }, rules)
  return { stage, tier: tierOf(plays, rules), score, idle, age, plays, parts }
}

const reasonOf = (
  { totalEvents, campaignsJoined }: Activity,
  { stage, idle, age, plays, score }: UserStanding,
): string => {
  const seen = `last seen ${count(Math.floor(idle), 'day')} ago`
  const played = `${count(plays, 'play')} in ${windows.long} days`
  const events = count(totalEvents, 'event')
  switch (stage) {
    case 'churned':
    case 'at_risk':
      return seen
    case 'power_user':
      return `${played} and an engagement score of ${score}`
    case 'engaged':
      return `${played} and ${count(campaignsJoined, 'campaign')} joined`
    case 'new':
      return `first seen ${count(Math.floor(age), 'day')} ago, ${events} so far`
    case 'active':
      return `${seen}, ${events} so far`
  }
}

/** Stage, tier and score at a moment. */
export const classify = (activity: Activity, now: Date, rules: Rules): Classification => {
  const standing = standingAt(activity, now, rules)
  const { stage, tier, score, parts } = standing
  const breakdown = {
    recency: oneDecimal(parts.recency),
    frequency: oneDecimal(parts.frequency),
    monetary: oneDecimal(parts.monetary),
    breadth: oneDecimal(parts.breadth),
  }
  return { stage, reason: reasonOf(activity, standing), tier, score, breakdown }
}

/**
 * The first moment at which time alone makes `isSame` false; null if there is none. Found by bisection, because time
 * never reverts a change.
 */
const firstChange = (
  activity: Activity,
  now: Date,
  rules: Rules,
  isSame: (then: UserStanding) => boolean,
): Date | null => {
  const at = (ms: number) => isSame(standingAt(activity, new Date(ms), rules))
  let before = now.getTime()
  const longest = Math.max(rules.churnedDays, rules.newDays, windows.long)
  let after = Math.max(before, activity.lastSeenAt.getTime()) + longest * dayMs + 1
  if (at(after)) return null
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (at(middle)) before = middle
    else after = middle
  }
  return new Date(after)
}

/**
 * When the stage changes if the user does nothing; null for never. If plays leave the window, this is the earliest
 * possible moment, otherwise the exact one.
 */
export const nextStageAt = (activity: Activity, now: Date, rules: Rules): Date | null => {
  const { stage } = standingAt(activity, now, rules)
  return firstChange(activity, now, rules, (then) => then.stage === stage)
}

/** The interval between classifications of a user whose plays are leaving the window. */
const sweepMs = 15 * minuteMs
const never = 2_147_483_647
const endOfTime = new Date(8.64e15)

type Watch = {
  /** Classify again at this total of events or plays, */
  eventsUntil: number
  playsUntil: number
  /** or at this time; null for never. */
  dueAt: Date | null
}

/** When a user must be classified again. Nothing can change the classification before. */
export const watch = (
  activity: Activity & { totalPlays: number },
  now: Date,
  rules: Rules,
): Watch => {
  const { stage, tier } = standingAt(activity, now, rules)
  const plays = total(activity.recent, 'plays')
  const higher = [
    rules.regularTierPlays,
    rules.powerUserTierPlays,
    rules.whaleTierPlays,
    rules.engagedPlays,
    rules.powerUserPlays,
  ].filter((threshold) => threshold > plays)
  // Every event can end these stages, or raise the score to the threshold.
  const isSensitive =
    stage === 'at_risk' ||
    stage === 'churned' ||
    (stage !== 'power_user' && plays >= rules.powerUserPlays)
  // An event before the first one always makes the user due, because it changes their age.
  const eventsUntil = stage === 'new' ? rules.newMaxEvents + 1 : never
  const isSame = (then: UserStanding) => then.stage === stage && then.tier === tier
  const earliest = firstChange(activity, now, rules, isSame)
  // Idleness and age change it at an exact moment; a window empties gradually.
  const points = total(activity.recent, 'points')
  const still = { ...activity, recent: [{ from: endOfTime, plays, points }] }
  const byIdleness = firstChange(still, now, rules, isSame)
  const byWindow = earliest && new Date(Math.max(earliest.getTime(), now.getTime() + sweepMs))
  const due = [byIdleness, byWindow].filter((moment) => moment !== null).map(Number)
  return {
    eventsUntil: isSensitive ? activity.totalEvents + 1 : eventsUntil,
    playsUntil: higher.length > 0 ? activity.totalPlays + Math.min(...higher) - plays : never,
    dueAt: earliest && due.length > 0 ? new Date(Math.min(...due)) : null,
  }
}

/** Average pause between sessions in minutes, one decimal; null if there was none. */
export const sessionGapMinutes = (gaps: number, gapMs: number): number | null =>
  gaps === 0 ? null : oneDecimal(gapMs / gaps / minuteMs)

/** Share of plays that won, 0 to 1, four decimals; null without plays. */
export const playWinRateOf = (wins: number, plays: number): number | null =>
  plays === 0 ? null : Math.round((10_000 * wins) / plays) / 10_000
