/** `<tessera-goals category="…">`: missions, how far the user is, and what they give. */
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { burst } from './burst.ts'
import { coin } from './coin.ts'
import { clock, goalCard, headingOf, noteOf, parcel, rewardText, timeText } from './goal-card.ts'
import {
  type Grant,
  giftsOf,
  goalsAfter,
  grantsAfter,
  grantsOf,
  isDue,
  joinGoal,
  readGoals,
  readGrants,
  type UserGoal,
} from './goal-data.ts'
import { goalsStyles } from './goals-styles.ts'
import { prefersReducedMotion } from './motion.ts'
import { RewardElement } from './reward-element.ts'
import type { Session } from './session.ts'
import { words } from './texts.ts'
import { theme } from './theme.ts'
import type { Part, UserState } from './user-state.ts'

/** After a completion, the number of times that a goal whose targets are reached is read again at most. */
const maxSettles = 5

/** The statuses of grants that the user does not have yet. */
const statuses = ['READY', 'HELD']

export class GoalsElement extends RewardElement {
  static override properties = { ...RewardElement.properties, category: { type: String } }
  static override styles = [theme, goalsStyles]
  /** Only goals of this category; all if it is empty. */
  declare category: string
  #goals: UserGoal[] | undefined
  #grants: Grant[] = []
  /** The goals that were just completed. */
  #fresh = new Set<string>()
  #settles = 0

  constructor() {
    super()
    this.category = ''
  }

  protected override get follows(): readonly Part[] {
    return ['goals', 'grants']
  }
  protected override get isLoaded(): boolean {
    return this.#goals !== undefined
  }
  protected override clear(): void {
    this.#goals = undefined
    this.#grants = []
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
    for (const { heldUntil, claimExpiresAt } of this.#grants) times.push(heldUntil, claimExpiresAt)
    const ahead = times.map((at) => Date.parse(at ?? '')).filter((at) => at > this.readAt)
    return Math.min(...ahead)
  }

  protected override async read(session: Session): Promise<() => void> {
    const goals = await readGoals(session, { category: this.category, isFirst: !this.isLoaded })
    const grants =
      session.hasToken && this.#mayHaveGrants(goals) ? await readGrants(session, { statuses }) : []
    return () => {
      this.#show(goals, grants)
      if (goals.some(isDue) && this.#settles++ < maxSettles) this.readSoon()
      else if (!goals.some(isDue)) this.#settles = 0
    }
  }

  protected override take(state: UserState): boolean {
    if (!this.#goals || !state.goals || !state.grants) return true
    const goals = goalsAfter(this.#goals, state.goals, this.category)
    if (!goals) return false
    const grants = this.#mayHaveGrants(goals) ? grantsAfter(this.#grants, state.grants) : []
    if (grants) this.#show(goals, grants)
    return grants !== null
  }

  #mayHaveGrants(goals: UserGoal[]): boolean {
    const gives = ({ completionCount, goal }: UserGoal) =>
      completionCount > 0 && goal.rewards.length > 0
    return !this.category || goals.some(gives)
  }

  #show(goals: UserGoal[], grants: Grant[]): void {
    const before = this.#goals
    this.#goals = goals
    this.#grants = grants
    if (before) this.#celebrate(before, goals)
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
    // The reward may have been paid since the balance was read.
    this.session?.refreshBalance()
    if (prefersReducedMotion()) return
    this.requestUpdate()
    void this.updateComplete.then(() => {
      for (const canvas of this.renderRoot.querySelectorAll('canvas')) burst(canvas, 36)
    })
  }

  #join(item: UserGoal): Promise<void> {
    const { goal } = item
    return this.act(headingOf(item), async (session) => {
      await joinGoal(session, goal.slug, this.onWait)
      this.emit('goal-join', { slug: goal.slug, name: goal.name })
      return this.say.text('joined', { name: goal.name })
    })
  }

  #claim(goal: UserGoal): Promise<void> {
    return this.act(headingOf(goal), async (session) => {
      const grants =
        this.#grants.length > 0 ? this.#grants : await readGrants(session, { statuses })
      return this.claim(session, grantsOf(goal, grants))
    })
  }

  /** Points that were given without a goal: until when they are on the way, or a button that claims them. */
  #gift(grant: Grant): TemplateResult {
    const { say } = this
    const { uuid, reward, points, heldUntil, claimExpiresAt } = grant
    const name = `+${rewardText(say, { ...reward, points })}`
    const isRunning = this.running === `gift-${uuid}`
    const word = say.text(isRunning ? 'claiming' : 'claim')
    const claim = () => this.act(`gift-${uuid}`, (session) => this.claim(session, [grant]))
    const isHeld = grant.status === 'HELD' && heldUntil
    return html`<li class="gift" part="gift">
      ${coin}
      <div>
        <b>${name}</b>
        <p class="soft">${reward.description ?? words(reward.name)}</p>
        ${isHeld ? noteOf(parcel, timeText(say, 'onWay', heldUntil)) : nothing}
        ${!isHeld && claimExpiresAt ? noteOf(clock, timeText(say, 'claim', claimExpiresAt)) : nothing}
      </div>
      ${
        isHeld
          ? nothing
          : html`<button
              part="button"
              aria-disabled=${isRunning}
              aria-label="${word}: ${name}"
              @click=${() => void claim()}
            >${word}</button>`
      }
    </li>`
  }

  #gifts() {
    const gifts = this.category ? [] : giftsOf(this.#grants)
    if (gifts.length === 0) return nothing
    return html`<ul class="gifts" aria-label=${this.say.text('gifts')}>
      ${repeat(
        gifts,
        ({ uuid }) => uuid,
        (grant) => this.#gift(grant),
      )}
    </ul>`
  }

  #button(item: UserGoal) {
    const { say } = this
    const { goal, nextAction } = item
    if (nextAction !== 'JOIN' && nextAction !== 'CLAIM') return nothing
    if (!this.session?.hasToken)
      return html`<p class="when">${say.text(nextAction === 'JOIN' ? 'signInToJoin' : 'signInToClaim')}</p>`
    const isRunning = this.running === headingOf(item)
    const [word, running, run] =
      nextAction === 'JOIN'
        ? (['join', 'joining', () => this.#join(item)] as const)
        : (['claim', 'claiming', () => this.#claim(item)] as const)
    const text = say.text(isRunning ? running : word)
    return html`<button
      part="button"
      aria-disabled=${isRunning}
      aria-label="${text}: ${goal.name}"
      @click=${() => void run()}
    >${text}</button>`
  }

  #goal(goal: UserGoal): TemplateResult {
    const id = headingOf(goal)
    const isFresh = this.#fresh.has(goal.goal.slug)
    return goalCard(this.say, goal, {
      grants: this.#grants,
      action: this.#button(goal),
      said: this.saidAt === id ? this.said : '',
      isFresh,
      confetti:
        isFresh && !prefersReducedMotion() ? html`<canvas aria-hidden="true"></canvas>` : nothing,
    })
  }

  protected override content(): TemplateResult {
    const goals = this.#goals ?? []
    return html`<section class="card" part="card" aria-label=${this.say.text('goals')}>
      <h2 class="title" part="title">${this.say.text('goals')}</h2>
      ${this.#gifts()}
      ${
        this.saidAt?.startsWith('gift-') && this.said
          ? html`<p class="said" aria-hidden="true">${this.said}</p>`
          : nothing
      }
      ${
        goals.length === 0
          ? html`<p class="notice">${this.say.text('noGoals')}</p>`
          : html`<ul class="goals">${repeat(goals, headingOf, (item) => this.#goal(item))}</ul>`
      }
      <p class="hidden" role="status" aria-live="polite">${this.said}</p>
    </section>`
  }

  protected override skeleton(): TemplateResult {
    return html`<h2 class="title">${this.say.text('goals')}</h2>
      <div class="goals">${[1, 2, 3].map(() => html`<div class="bone tile"></div>`)}</div>`
  }
}
