/** The card of a goal, which the widget and the console show. */
import { html, nothing, type TemplateResult } from 'lit'
import { coin } from './coin.ts'
import { emblem, medal } from './goal-art.ts'
import {
  firstOf,
  type GivenReward,
  type Grant,
  grantsOf,
  heldOf,
  missingOf,
  reachedOf,
  stampsOf,
  type Task,
  type UserGoal,
} from './goal-data.ts'
import { type Say, type TextKey, words } from './texts.ts'

const stateTexts: Record<UserGoal['state'], TextKey> = {
  LOCKED: 'goalLocked',
  AVAILABLE: 'goalAvailable',
  IN_PROGRESS: 'goalInProgress',
  COMPLETED: 'goalCompleted',
  MISSED: 'goalMissed',
}

const dayMs = 24 * 3_600_000

/** The check of a stamp. */
const check = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 12.5l4.5 4.5L19 7.5"></path></svg>`
const gift = html`<svg class="gift-sign" viewBox="0 0 24 24" aria-hidden="true"><path
  d="M4.5 12h15v8h-15zM3.5 8h17v4h-17zM12 8v12M12 8c-4 0-6-4-3-4s3 4 3 4 0-4 3-4 1 4-3 4z"
></path></svg>`

const sign = (d: string) =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${d}></path></svg>`
const lock = sign('M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3')
export const clock = sign('M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 7.5V12l3 2')
export const parcel = sign('M12 3.5l8 4v9l-8 4-8-4v-9zM4 7.5l8 4 8-4M12 11.5v9M8 5.5l8 4')

/** The sign of what a reward gives: a medal, a coin, or a box for everything else. */
export const rewardSign = ({ kind, uuid, imageUrl }: GivenReward): TemplateResult =>
  kind === 'BADGE' ? medal(uuid, imageUrl) : kind === 'POINTS' ? coin : gift

/** The id of the heading of a goal. */
export const headingOf = ({ goal }: UserGoal) => `goal-${goal.slug}`

/** `50 points`, or the name of what is not points. */
export const rewardText = (
  say: Say,
  { kind, points, name }: Pick<GivenReward, 'kind' | 'points' | 'name'>,
): string => (kind === 'POINTS' && points !== null ? say.points(points) : words(name))

const stamp = (say: Say, i: number, { all, got }: { all: number; got: number }) => {
  const isLast = i === all - 1
  const sign = i < got ? check : isLast ? gift : say.number(i + 1)
  return html`<span class="stamp ${i < got ? 'got' : ''} ${isLast ? 'last' : ''}">${sign}</span>`
}

const taskOf = (say: Say, task: Task, goalName: string): TemplateResult => {
  const target = task.of === 'POINTS' ? say.points(task.target) : task.target
  const figure = say.text('progress', { value: reachedOf(task), target })
  const stamps = stampsOf(task)
  return html`<div class="task">
    <p class="label">
      <span class=${task.name ? '' : 'general'}>${task.name ?? say.text('ownProgress')}</span>
      <b class="number" aria-hidden="true">${figure}</b>
    </p>
    <div
      role="progressbar"
      part="progress"
      class=${stamps ? 'stamps' : 'bar'}
      aria-label=${task.name ?? goalName}
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow=${Math.floor(task.rate * 100)}
      aria-valuetext=${figure}
      .style=${`--_rate:${task.rate};--_columns:${stamps?.columns ?? 1}`}
    >
      ${
        stamps
          ? Array.from({ length: stamps.all }, (_, i) => stamp(say, i, stamps))
          : html`<span class="fill"></span>`
      }
    </div>
  </div>`
}

/** What is further away is shown as a date. */
const soonMs = {
  ...{ ends: 8 * dayMs, starts: 8 * dayMs, again: 8 * dayMs, claim: 8 * dayMs },
  ...{ held: dayMs, onWay: dayMs },
}

/** When something happens: in how long, or on which date if that is further away. */
export const timeText = (say: Say, name: keyof typeof soonMs, at: string): TemplateResult => {
  // The date of an end is the last one on which it has not ended.
  const shown = name === 'ends' || name === 'claim' ? Date.parse(at) - 1 : Date.parse(at)
  const text =
    Date.parse(at) - Date.now() < soonMs[name]
      ? say.text(`${name}In`, { when: say.until(at) })
      : say.text(`${name}On`, { date: say.date(shown) })
  const full = say.date(at, { dateStyle: 'full', timeStyle: 'short' })
  return html`<time datetime=${at} title=${full}>${text}</time>`
}

export const noteOf = (...[sign, text]: Note): TemplateResult =>
  html`<p class="note">${sign}<span>${text}</span></p>`

type Note = [sign: TemplateResult | typeof nothing, text: TemplateResult | string]

/** Why it is locked, as far as it is known. */
const locksOf = (say: Say, item: UserGoal): Note[] => {
  const { goal, isInSegment } = item
  const missing = missingOf(item)
  const isAhead = goal.startedAt !== null && Date.parse(goal.startedAt) > Date.now()
  const notes: Note[] = []
  if (missing) notes.push([lock, say.text('firstComplete', { goals: missing })])
  if (isAhead) notes.push([clock, timeText(say, 'starts', goal.startedAt as string)])
  const isClosed = isInSegment === false || notes.length === 0
  return isClosed ? [...notes, [lock, say.text('notOpen')]] : notes
}

/** When it ends, begins, or begins again, what is missing, and when a reward comes. */
const notesOf = (say: Say, item: UserGoal, grants: Grant[]): Note[] => {
  const { state, nextAction, endsAt, nextWindowAt, completionCount } = item
  const notes: Note[] = []
  const isOpen = state === 'AVAILABLE' || state === 'IN_PROGRESS'
  if (item.isCounting) notes.push([clock, say.text('goalCounting')])
  if (completionCount > 1) notes.push([nothing, say.counted('timesDone', completionCount)])
  if (state === 'LOCKED') notes.push(...locksOf(say, item))
  if (state === 'MISSED' && endsAt) {
    // As for an end ahead, the last date on which it had not ended.
    const date = say.date(Date.parse(endsAt) - 1)
    notes.push([clock, html`<time datetime=${endsAt}>${say.text('endedOn', { date })}</time>`])
  }
  if (isOpen && endsAt) notes.push([clock, timeText(say, 'ends', endsAt)])
  const heldUntil = firstOf(heldOf(item, grants).map((grant) => grant.heldUntil))
  if (heldUntil) notes.push([parcel, timeText(say, 'held', heldUntil)])
  if (state === 'COMPLETED' && nextWindowAt)
    notes.push([clock, timeText(say, 'again', nextWindowAt)])
  if (nextAction === 'CLAIM') {
    const ends = firstOf(grantsOf(item, grants).map(({ claimExpiresAt }) => claimExpiresAt))
    if (ends) notes.push([clock, timeText(say, 'claim', ends)])
  }
  return notes
}

const rewardsOf = (say: Say, item: UserGoal, grants: Grant[]) => {
  const { rewards } = item.goal
  const held = new Set(heldOf(item, grants).map(({ reward }) => reward.uuid))
  if (rewards.length === 0) return nothing
  return html`<ul class="rewards" aria-label=${say.text('reward')}>
    ${rewards.map(
      (reward) => html`<li class=${held.has(reward.uuid) ? 'held' : ''}>
        ${rewardSign(reward)}
        <span>${reward.kind === 'POINTS' ? '+' : ''}${rewardText(say, reward)}</span>
      </li>`,
    )}
  </ul>`
}

type CardParts = {
  /** Grants of the user that are not issued yet. */
  grants: Grant[]
  /** Its button, or what takes its place. */
  action: TemplateResult | typeof nothing
  /** The text of the last action. */
  said?: string
  /** Whether it was just completed. */
  isFresh?: boolean
  /** What moves over it. */
  confetti?: TemplateResult | typeof nothing
}

/** An item of a list of goals. */
export const goalCard = (say: Say, item: UserGoal, parts: CardParts): TemplateResult => {
  const { goal, state, nextAction, tasks } = item
  const { action, said = '', isFresh = false, confetti = nothing } = parts
  const isPaused = goal.status === 'PAUSED' && (state === 'AVAILABLE' || state === 'IN_PROGRESS')
  const text = say.text(isPaused ? 'goalPaused' : stateTexts[state])
  const waits = nextAction === 'CLAIM' ? 'claimable' : ''
  return html`<li class="goal ${state.toLowerCase()} ${waits} ${isFresh ? 'fresh' : ''}" part="goal">
    <div class="top">
      ${emblem(goal.slug, goal.fact, goal.imageUrl)}
      ${state === 'LOCKED' ? html`<span class="lock">${lock}</span>` : nothing}
      <div>
        <h3 id=${headingOf(item)} tabindex="-1">${goal.name}</h3>
        <p class="state">${text}</p>
      </div>
    </div>
    ${goal.description ? html`<p class="soft">${goal.description}</p>` : nothing}
    ${tasks.map((task) => taskOf(say, task, goal.name))}
    <div class="notes">
      ${notesOf(say, item, parts.grants).map(([sign, text]) => noteOf(sign, text))}
    </div>
    ${said ? html`<p class="said" aria-hidden="true">${said}</p>` : nothing}
    <div class="foot">${rewardsOf(say, item, parts.grants)}${action}</div>
    ${confetti}
  </li>`
}
