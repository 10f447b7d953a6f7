/** `<tessera-goals category="…">`: missions, how far the user is, and what they give. */
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { burst } from './burst.ts'
import { coin } from './coin.ts'
import { emblem, medal } from './goal-art.ts'
import {
  type Grant,
  grantsOf,
  isClaimable,
  isDue,
  joinGoal,
  reachedOf,
  readGoals,
  readGrants,
  stampsOf,
  type Task,
  type UserGoal,
} from './goal-data.ts'
import { goalsStyles } from './goals-styles.ts'
import { prefersReducedMotion } from './motion.ts'
import { RewardElement } from './reward-element.ts'
import type { Session } from './session.ts'
import type { TextKey } from './texts.ts'
import { theme } from './theme.ts'

const stateTexts: Record<UserGoal['state'], TextKey> = {
  LOCKED: 'goalLocked',
  AVAILABLE: 'goalAvailable',
  IN_PROGRESS: 'goalInProgress',
  COMPLETED: 'goalCompleted',
  MISSED: 'goalMissed',
}

/** After a completion, the number of times that a goal whose targets are reached is read again at most. */
const maxSettles = 5
/** Ends that are further away are shown as dates. */
const soonMs = 8 * 24 * 3_600_000

/** The check of a stamp. */
const check = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 12.5l4.5 4.5L19 7.5"></path></svg>`
const gift = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path
  d="M4.5 12h15v8h-15zM3.5 8h17v4h-17zM12 8v12M12 8c-4 0-6-4-3-4s3 4 3 4 0-4 3-4 1 4-3 4z"
></path></svg>`

/** The id of the heading of a goal. */
const idOf = ({ goal }: UserGoal) => `goal-${goal.slug}`

export class GoalsElement extends RewardElement {
  static override properties = { ...RewardElement.properties, category: { type: String } }
  static override styles = [theme, goalsStyles]
  /** Only goals of this category; all if it is empty. */
  declare category: string
  #goals: UserGoal[] | undefined
  #ready: Grant[] = []
  /** The goals that were just completed. */
  #fresh = new Set<string>()
  #settles = 0

  constructor() {
    super()
    this.category = ''
  }

  protected override get isLoaded(): boolean {
    return this.#goals !== undefined
  }
  protected override clear(): void {
    this.#goals = undefined
    this.#ready = []
    this.#fresh.clear()
    this.said = ''
  }

  override willUpdate(changed: Map<string, unknown>): void {
    super.willUpdate(changed)
    if (this.hasUpdated && changed.has('category')) {
      this.clear()
      void this.refetch()
    }
  }

  protected override get nextChangeAt(): number {
    const times = (this.#goals ?? []).flatMap(({ goal, state, endsAt, nextWindowAt }) => [
      endsAt,
      nextWindowAt,
      state === 'LOCKED' ? goal.startedAt : null,
    ])
    const ahead = times.map((at) => Date.parse(at ?? '')).filter((at) => at > this.readAt)
    return Math.min(...ahead)
  }

  protected override async read(session: Session): Promise<() => void> {
    const goals = await readGoals(session, { category: this.category, isFirst: !this.isLoaded })
    const waits = session.hasToken && goals.some(({ nextAction }) => nextAction === 'CLAIM')
    const ready = waits ? await readGrants(session, { statuses: ['READY'] }) : []
    return () => {
      const before = this.#goals
      this.#goals = goals
      this.#ready = ready.filter(isClaimable)
      if (before) this.#celebrate(before, goals)
      if (goals.some(isDue) && this.#settles++ < maxSettles) this.readSoon()
      else if (!goals.some(isDue)) this.#settles = 0
    }
  }

  #celebrate(before: UserGoal[], now: UserGoal[]): void {
    const counts = new Map(before.map(({ goal, completionCount }) => [goal.slug, completionCount]))
    const done = now.filter(
      ({ goal, completionCount }) => completionCount > (counts.get(goal.slug) ?? 0),
    )
    if (done.length === 0) return
    this.#fresh = new Set(done.map(({ goal }) => goal.slug))
    this.saidAt = undefined
    this.said = done.map(({ goal }) => this.say.text('goalDone', { name: goal.name })).join(' ')
    for (const { goal, completionCount } of done)
      this.emit('goal-complete', { slug: goal.slug, name: goal.name, completionCount })
    this.session?.dispatchEvent(new Event('reward'))
    if (prefersReducedMotion()) return
    this.requestUpdate()
    void this.updateComplete.then(() => {
      for (const canvas of this.renderRoot.querySelectorAll('canvas')) burst(canvas, 36)
    })
  }

  #join(one: UserGoal): Promise<void> {
    const { goal } = one
    return this.act(idOf(one), async (session) => {
      await joinGoal(session, goal.slug, this.onWait)
      this.emit('goal-join', { slug: goal.slug, name: goal.name })
      return this.say.text('joined', { name: goal.name })
    })
  }

  #claim(one: UserGoal): Promise<void> {
    return this.act(idOf(one), async (session) => {
      const grants =
        this.#ready.length > 0 ? this.#ready : await readGrants(session, { statuses: ['READY'] })
      return this.claim(session, grantsOf(one, grants))
    })
  }

  #task(task: Task, goalName: string): TemplateResult {
    const { say } = this
    const value = say.text('progress', { value: reachedOf(task), target: task.target })
    const figure = task.of === 'POINTS' ? this.#points(task) : value
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
            ? Array.from({ length: stamps.all }, (_, i) => this.#stamp(i, stamps))
            : html`<span class="fill"></span>`
        }
      </div>
    </div>`
  }

  #points(task: Task): string {
    const { say } = this
    return say.text('progress', { value: reachedOf(task), target: say.points(task.target) })
  }

  #stamp(i: number, { all, got }: { all: number; got: number }): TemplateResult {
    const isLast = i === all - 1
    const sign = i < got ? check : isLast ? gift : this.say.number(i + 1)
    return html`<span class="stamp ${i < got ? 'got' : ''} ${isLast ? 'last' : ''}">${sign}</span>`
  }

  /** When it ends, begins, or begins again, and what is missing. */
  #notes(one: UserGoal): TemplateResult[] {
    const { say } = this
    const { goal, state, nextAction, endsAt, nextWindowAt, completionCount } = one
    const time = (name: 'ends' | 'starts' | 'again' | 'claim', at: string) => {
      // The date of an end is the last one on which it has not ended.
      const shown = name === 'ends' || name === 'claim' ? Date.parse(at) - 1 : Date.parse(at)
      const text =
        Date.parse(at) - Date.now() < soonMs
          ? say.text(`${name}In`, { when: say.until(at) })
          : say.text(`${name}On`, { date: say.date(shown) })
      const full = say.date(at, { dateStyle: 'full', timeStyle: 'short' })
      return html`<p class="when"><time datetime=${at} title=${full}>${text}</time></p>`
    }
    const notes: TemplateResult[] = []
    const isOpen = state === 'AVAILABLE' || state === 'IN_PROGRESS'
    if (one.isCounting) notes.push(html`<p>${say.text('goalCounting')}</p>`)
    if (completionCount > 1) notes.push(html`<p>${say.counted('timesDone', completionCount)}</p>`)
    if (state === 'LOCKED') {
      const missing = this.#missing(one)
      if (missing) notes.push(html`<p>${say.text('firstComplete', { goals: missing })}</p>`)
      if (goal.startedAt && Date.parse(goal.startedAt) > Date.now())
        notes.push(time('starts', goal.startedAt))
    }
    if (isOpen && endsAt) notes.push(time('ends', endsAt))
    if (state === 'COMPLETED' && nextWindowAt) notes.push(time('again', nextWindowAt))
    if (nextAction === 'CLAIM') {
      const ends = grantsOf(one, this.#ready)
        .flatMap(({ claimExpiresAt }) => claimExpiresAt ?? [])
        .sort()
      if (ends[0]) notes.push(time('claim', ends[0]))
    }
    return notes
  }

  /** The goals that must be completed first, as far as the user has not. */
  #missing({ goal }: UserGoal): string {
    const done = new Set(
      (this.#goals ?? []).filter((one) => one.completionCount > 0).map((one) => one.goal.slug),
    )
    return goal.requires
      .filter(({ slug }) => !done.has(slug))
      .map(({ name }) => name)
      .join(', ')
  }

  #button(one: UserGoal) {
    const { say } = this
    const { goal, nextAction } = one
    if (nextAction !== 'JOIN' && nextAction !== 'CLAIM') return nothing
    if (!this.session?.hasToken) return html`<p class="when">${say.text('signInToJoin')}</p>`
    const isRunning = this.running === idOf(one)
    const [word, running, run] =
      nextAction === 'JOIN'
        ? (['join', 'joining', () => this.#join(one)] as const)
        : (['claim', 'claiming', () => this.#claim(one)] as const)
    const text = say.text(isRunning ? running : word)
    return html`<button
      part="button"
      aria-disabled=${isRunning}
      aria-label="${text}: ${goal.name}"
      @click=${() => void run()}
    >${text}</button>`
  }

  #rewards({ rewards }: UserGoal['goal']) {
    if (rewards.length === 0) return nothing
    return html`<ul class="rewards" aria-label=${this.say.text('reward')}>
      ${rewards.map(
        (reward) => html`<li>
          ${reward.kind === 'BADGE' ? medal(reward.uuid, reward.imageUrl) : coin}
          <span>${reward.kind === 'POINTS' ? '+' : ''}${this.nameOf(reward)}</span>
        </li>`,
      )}
    </ul>`
  }

  #goal(one: UserGoal): TemplateResult {
    const { goal, state, nextAction, tasks } = one
    const id = idOf(one)
    const isFresh = this.#fresh.has(goal.slug)
    const isPaused = goal.status === 'PAUSED' && (state === 'AVAILABLE' || state === 'IN_PROGRESS')
    const text = this.say.text(isPaused ? 'goalPaused' : stateTexts[state])
    const waits = nextAction === 'CLAIM' ? 'claimable' : ''
    return html`<li class="goal ${state.toLowerCase()} ${waits} ${isFresh ? 'fresh' : ''}" part="goal">
      <div class="top">
        ${emblem(goal.slug, goal.fact, goal.imageUrl)}
        <div>
          <h3 id=${id} tabindex="-1">${goal.name}</h3>
          <p class="state">${text}</p>
        </div>
      </div>
      ${goal.description ? html`<p class="soft">${goal.description}</p>` : nothing}
      ${tasks.map((task) => this.#task(task, goal.name))}
      <div class="notes">${this.#notes(one)}</div>
      ${this.saidAt === id && this.said ? html`<p class="said" aria-hidden="true">${this.said}</p>` : nothing}
      <div class="foot">${this.#rewards(goal)}${this.#button(one)}</div>
      ${isFresh && !prefersReducedMotion() ? html`<canvas aria-hidden="true"></canvas>` : nothing}
    </li>`
  }

  protected override content(): TemplateResult {
    const goals = this.#goals ?? []
    return html`<section class="card" part="card" aria-label=${this.say.text('goals')}>
      <h2 class="title" part="title">${this.say.text('goals')}</h2>
      ${
        goals.length === 0
          ? html`<p class="notice">${this.say.text('noGoals')}</p>`
          : html`<ul class="goals">${repeat(goals, idOf, (one) => this.#goal(one))}</ul>`
      }
      <p class="hidden" role="status" aria-live="polite">${this.said}</p>
    </section>`
  }

  protected override skeleton(): TemplateResult {
    return html`<h2 class="title">${this.say.text('goals')}</h2>
      <div class="goals">${[1, 2, 3].map(() => html`<div class="bone tile"></div>`)}</div>`
  }
}
