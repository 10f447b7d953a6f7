/** `<tessera-streak slug="…">`: how many days, weeks or months in a row, the last seven of them, and until when to go on. */
import { html, nothing, type TemplateResult } from 'lit'
import { burst } from './burst.ts'
import { FollowingElement } from './following-element.ts'
import { clock, noteOf, rewardSign, rewardText } from './goal-card.ts'
import { prefersReducedMotion } from './motion.ts'
import { Problem } from './problem.ts'
import type { Session } from './session.ts'
import { flame, signOf, snowflake } from './streak-art.ts'
import {
  type Milestone,
  milestonesSince,
  nextMilestone,
  type Period,
  readStreak,
  type Streak,
  type StreakChange,
  shownWindows,
  streakIn,
  type WindowStatus,
} from './streak-data.ts'
import { streakStyles } from './streak-styles.ts'
import './streak-texts.ts'
import type { TextKey } from './texts.ts'
import { theme } from './theme.ts'
import type { Part, UserState } from './user-state.ts'

const lengths = { DAY: 'streakDays', WEEK: 'streakWeeks', MONTH: 'streakMonths' } as const
const lefts = { DAY: 'streakDaysTo', WEEK: 'streakWeeksTo', MONTH: 'streakMonthsTo' } as const
const records = { DAY: 'longestDays', WEEK: 'longestWeeks', MONTH: 'longestMonths' } as const
const dones: Record<Period, TextKey> = {
  DAY: 'streakDoneDay',
  WEEK: 'streakDoneWeek',
  MONTH: 'streakDoneMonth',
}

const statuses: Record<WindowStatus, TextKey> = {
  MET: 'windowMet',
  FROZEN: 'windowFrozen',
  PAUSED: 'windowPaused',
  RESTORED: 'windowRestored',
  MISSED: 'windowMissed',
  NOT_REQUIRED: 'windowNotRequired',
  OPEN: 'windowOpen',
}

/** Freezes are drawn up to this number. */
const maxDrawnFreezes = 5
/** Tiles of confetti for a length, and for a milestone. */
const tiles = { grown: 36, milestone: 120 }

const hourMs = 3_600_000

export class StreakElement extends FollowingElement {
  static override properties = { ...FollowingElement.properties, slug: { type: String } }
  static override styles = [theme, streakStyles]
  /** The goal; the first streak of the user if it is empty. */
  declare slug: string
  #streak: Streak | undefined
  #spoken = ''
  /** Whether it has just grown. */
  #isFresh = false

  constructor() {
    super()
    this.slug = ''
  }

  protected override get needsUser(): boolean {
    return true
  }
  protected override get follows(): readonly Part[] {
    return ['streaks']
  }
  protected override get isLoaded(): boolean {
    return this.#streak !== undefined
  }
  protected override clear(): void {
    this.#streak = undefined
    this.#spoken = ''
    this.#isFresh = false
  }

  override willUpdate(changed: Map<string, unknown>): void {
    super.willUpdate(changed)
    if (this.hasUpdated && changed.has('slug')) {
      this.clear()
      void this.refetch()
    }
  }

  protected override get nextChangeAt(): number {
    const at = Date.parse(this.#streak?.deadline ?? '')
    return at > this.readAt ? at : Number.POSITIVE_INFINITY
  }

  protected override async read(session: Session): Promise<() => void> {
    const streak = await readStreak(session, this.slug)
    if (!streak) throw new Problem('NOT_FOUND', this.say.text('streakMissing'), 404)
    return () => this.#show(streak)
  }

  protected override take({ streaks }: UserState): boolean {
    const before = this.#streak
    if (!streaks || !before) return true
    const change: StreakChange | null = streakIn(streaks.nodes, this.slug)
    if (change?.goal.slug !== before.goal.slug) return false
    this.#show({ ...before, ...change, goal: before.goal })
    return true
  }

  #show(streak: Streak): void {
    const before = this.#streak
    this.#streak = streak
    if (before && before.goal.slug === streak.goal.slug && streak.length > before.length)
      this.#celebrate(before, streak)
  }

  #celebrate(before: Streak, streak: Streak): void {
    const { goal, length } = streak
    const milestones = milestonesSince(before, streak)
    this.#isFresh = true
    this.#spoken = [
      this.say.counted(lengths[goal.window], length),
      ...milestones.map(({ reward }) =>
        this.say.text('milestoneReached', { reward: rewardText(this.say, reward) }),
      ),
    ].join('. ')
    const milestone = milestones.at(-1)?.length ?? null
    this.emit('streak-grow', { slug: goal.slug, name: goal.name, length, milestone })
    // A milestone gives something.
    this.session?.dispatchEvent(new Event('reward'))
    if (prefersReducedMotion()) return
    this.requestUpdate()
    void this.updateComplete.then(() => {
      const canvas = this.renderRoot.querySelector('canvas')
      if (canvas) burst(canvas, milestone === null ? tiles.grown : tiles.milestone)
    })
  }

  /** `23:59`, with the date unless it is today. The last minute before the end is named. */
  #until(deadline: string): string {
    const last = new Date(Date.parse(deadline) - 1)
    const isToday = last.toDateString() === new Date().toDateString()
    const day = { weekday: 'short', day: 'numeric', month: 'short' } as const
    return this.say.date(last.getTime(), {
      ...(isToday ? {} : day),
      hour: 'numeric',
      minute: '2-digit',
    })
  }

  #time(deadline: string, key: TextKey, when: string): TemplateResult {
    const full = this.say.date(deadline, { dateStyle: 'full', timeStyle: 'short' })
    return html`<time datetime=${deadline} title=${full}>${this.say.text(key, { when })}</time>`
  }

  /** What is to be done, or what has become of it, and until when. */
  #advice({ state, deadline, goal, history, brokenOn }: Streak): TemplateResult | string {
    const { say } = this
    const today = history.at(-1)?.status
    if (state === null) return say.text('streakStart')
    if (state === 'BROKEN') {
      if (!brokenOn) return say.text('streakAgain')
      const date = this.#dateOf(brokenOn, { dateStyle: 'medium' })
      return `${say.text('streakBrokenOn', { date })} ${say.text('streakAgain')}`
    }
    if (state === 'PAUSED') return say.text('streakPaused')
    if (state === 'AT_RISK' && deadline) {
      const isClose = Date.parse(deadline) - Date.now() < 2 * hourMs
      return this.#time(deadline, isClose ? 'streakHurry' : 'streakAtRisk', say.left(deadline))
    }
    if (!deadline) return say.text(dones[goal.window])
    const until = this.#until(deadline)
    if (today === 'MET')
      return html`${say.text(dones[goal.window])} ${this.#time(deadline, 'streakNext', until)}`
    const open = this.#time(deadline, 'streakUntil', until)
    return state === 'FROZEN' ? html`${say.text('streakSaved')} ${open}` : open
  }

  /** A date of the user, which has no time zone. */
  #dateOf(date: string, style: Intl.DateTimeFormatOptions): string {
    return this.say.date(`${date}T00:00:00Z`, { ...style, timeZone: 'UTC' })
  }

  #windows({ goal, history }: Streak): TemplateResult {
    const { say } = this
    const short: Record<Period, Intl.DateTimeFormatOptions> = {
      DAY: { weekday: 'short' },
      WEEK: { day: 'numeric', month: 'numeric' },
      MONTH: { month: 'short' },
    }
    const before = Array.from({ length: Math.max(0, shownWindows - history.length) })
    return html`<ol class="windows" aria-label=${say.text('streakHistory')} part="windows">
      ${before.map(() => html`<li aria-hidden="true"><span class="dot none"></span></li>`)}
      ${history.map(({ windowStart, status }, n) => {
        const isPresent = n === history.length - 1
        const style: Intl.DateTimeFormatOptions =
          goal.window === 'MONTH' ? { year: 'numeric', month: 'long' } : { dateStyle: 'full' }
        const date = this.#dateOf(windowStart, style)
        const text = say.text(statuses[status])
        return html`<li class=${isPresent ? 'present' : ''} title="${date}: ${text}">
          <span class="dot ${status.toLowerCase()}" aria-hidden="true">${signOf(status)}</span>
          <small aria-hidden="true">${this.#dateOf(windowStart, short[goal.window])}</small>
          <span class="hidden">${date}: ${text}</span>
        </li>`
      })}
    </ol>`
  }

  #milestone(streak: Streak, next: Milestone): TemplateResult {
    const { say } = this
    const { goal, length } = streak
    const { reward } = next
    const name = `${reward.kind === 'POINTS' ? '+' : ''}${rewardText(say, reward)}`
    const left = say.counted(lefts[goal.window], next.length - length)
    return html`<div class="milestone" part="milestone">
      ${rewardSign(reward)}
      <div>
        <p><b>${name}</b> <span class="soft">${left}</span></p>
        <div
          class="bar"
          role="progressbar"
          part="progress"
          aria-label=${name}
          aria-valuemin="0"
          aria-valuemax=${next.length}
          aria-valuenow=${length}
          aria-valuetext=${say.text('progress', { value: length, target: next.length })}
          .style=${`--_rate:${length / next.length}`}
        ><span class="fill"></span></div>
      </div>
    </div>`
  }

  #freezes({ goal, state, freezes }: Streak) {
    const max = Math.max(freezes, goal.streak?.freezes.max ?? 0)
    if (max === 0 || state === null) return nothing
    const drawn = max <= maxDrawnFreezes ? max : 1
    return html`<span class="freezes" part="freezes">
      ${Array.from({ length: drawn }, (_, n) => html`<span class=${n < freezes ? 'has' : ''}>${snowflake}</span>`)}
      <span>${this.say.counted('freezes', freezes)}</span>
    </span>`
  }

  protected override content(): TemplateResult {
    const streak = this.#streak
    if (!streak) return html``
    const { say } = this
    const { goal, length, longest, state } = streak
    const next = nextMilestone(streak)
    const look = state === null ? 'begin' : state.toLowerCase()
    const isMet = streak.history.at(-1)?.status === 'MET'
    return html`<section
      class="card streak ${look} ${isMet ? 'met' : ''} ${this.#isFresh ? 'fresh' : ''}"
      part="card"
      aria-label=${goal.name}
    >
      <div class="top">
        <span class="mark">${flame}${state === 'PAUSED' || state === 'FROZEN' ? html`<span class="sign">${state === 'PAUSED' ? signOf('PAUSED') : snowflake}</span>` : nothing}</span>
        <div>
          <h2 class="title" part="title">${goal.name}</h2>
          <p class="length" part="length">${this.#length(streak)}</p>
        </div>
      </div>
      <p class="advice" part="advice">${state === 'AT_RISK' ? clock : nothing}<span>${this.#advice(streak)}</span></p>
      ${goal.description ? html`<p class="soft">${goal.description}</p>` : nothing}
      ${this.#windows(streak)}
      ${next ? this.#milestone(streak, next) : nothing}
      <div class="foot">
        ${this.#freezes(streak)}
        ${longest > length || state === 'BROKEN' ? noteOf(nothing, say.counted(records[goal.window], longest)) : nothing}
      </div>
      <p class="hidden" role="status" aria-live="polite">${this.#spoken}</p>
      ${this.#isFresh && !prefersReducedMotion() ? html`<canvas aria-hidden="true"></canvas>` : nothing}
    </section>`
  }

  /** `7 days in a row`, with a large number. */
  #length({ goal, length }: Streak): TemplateResult {
    const text = this.say.counted(lengths[goal.window], length)
    const number = this.say.number(length)
    const at = text.indexOf(number)
    if (at < 0) return html`${text}`
    return html`${text.slice(0, at)}<b class="number">${number}</b>${text.slice(at + number.length)}`
  }

  protected override skeleton(): TemplateResult {
    return html`<div class="top"><div class="bone flame"></div><div class="bone heading"></div></div>
      <div class="bone row"></div>`
  }
}
