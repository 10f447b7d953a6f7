/** `<tessera-badges>`: the badges that the user has, and those that goals give. */
import { css, html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { medal } from './goal-art.ts'
import { timeText } from './goal-card.ts'
import {
  type Badge,
  badgesOf,
  firstOf,
  type Grant,
  goalsAfter,
  grantsAfter,
  hasGrants,
  missingOf,
  rateOf,
  reachedOf,
  readGoals,
  readGrants,
  type UserGoal,
} from './goal-data.ts'
import { RewardElement } from './reward-element.ts'
import { artStyles } from './reward-styles.ts'
import type { Session } from './session.ts'
import { words } from './texts.ts'
import { theme } from './theme.ts'
import type { Part, UserState } from './user-state.ts'

/** The id of the name of a badge. */
const idOf = ({ reward }: Badge) => `badge-${reward.uuid}`

export class BadgesElement extends RewardElement {
  static override styles = [
    theme,
    artStyles,
    css`
      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        justify-content: space-between;
        gap: 4px 12px;
      }
      .wall {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, max(7.5rem, min(46%, 148px))), 1fr));
        gap: 22px 12px;
        margin-top: 20px;
      }
      .badge {
        position: relative;
        display: flex;
        flex-direction: column;
        align-items: center;
        gap: 4px;
        min-width: 0;
        text-align: center;
      }
      .badge .medal {
        width: min(104px, 86%);
        margin-bottom: 6px;
      }
      .medal .metal {
        filter: drop-shadow(0 3px 5px rgb(20 10 60 / 30%));
      }
      .missing .metal,
      .missing img {
        filter: grayscale(1);
        opacity: 0.42;
      }
      .ring {
        fill: none;
        stroke: var(--_line);
        stroke-width: 4;
      }
      .ring.got {
        stroke: var(--_accent);
        stroke-linecap: round;
        transition: stroke-dasharray 0.7s cubic-bezier(0.2, 0.8, 0.2, 1);
      }
      .held .medal::after {
        position: absolute;
        inset: -2px;
        border: 2px dashed var(--_accent);
        border-radius: 50%;
        content: '';
      }
      .held .metal {
        opacity: 0.7;
      }
      .badge b {
        max-width: 100%;
        font-weight: 680;
        line-height: 1.25;
        overflow-wrap: anywhere;
      }
      .missing b {
        color: var(--_soft);
        font-weight: 600;
      }
      .badge p,
      .badge small {
        color: var(--_soft);
        font-size: 0.84rem;
        line-height: 1.35;
        overflow-wrap: anywhere;
        text-wrap: balance;
      }
      .badge .times {
        position: absolute;
        inset-block-start: 0;
        inset-inline-end: calc(50% - 54px);
        padding: 1px 8px;
        border-radius: 999px;
        background: var(--_accent);
        color: var(--_on-accent);
        font-size: 0.84rem;
        font-weight: 700;
      }
      .badge button {
        margin-top: 4px;
      }
      .fresh .medal {
        animation: pop 0.9s cubic-bezier(0.2, 1.5, 0.4, 1) backwards;
      }
      @keyframes pop {
        from {
          opacity: 0;
          transform: scale(0.4) rotate(-30deg);
        }
      }
      .bone.round {
        width: 96px;
        height: 96px;
        border-radius: 50%;
      }
    `,
  ]
  #badges: Badge[] | undefined
  #goals: UserGoal[] = []
  #grants: Grant[] = []
  /** The badges that the user has just got. */
  #fresh = new Set<string>()

  protected override get needsUser(): boolean {
    return true
  }
  protected override get needsToken(): boolean {
    return true
  }
  protected override get follows(): readonly Part[] {
    return ['goals', 'badges']
  }
  protected override get isLoaded(): boolean {
    return this.#badges !== undefined
  }
  protected override clear(): void {
    this.#badges = undefined
    this.#fresh.clear()
    this.said = ''
  }

  protected override get nextChangeAt(): number {
    const times = (this.#badges ?? []).flatMap(({ held }) => held.map((grant) => grant.heldUntil))
    const ahead = times.map((at) => Date.parse(at ?? '')).filter((at) => at > this.readAt)
    return Math.min(...ahead)
  }

  protected override async read(session: Session): Promise<() => void> {
    const [goals, grants] = await Promise.all([
      readGoals(session, { isFirst: !this.isLoaded }),
      readGrants(session, { statuses: ['READY', 'HELD', 'ISSUED'], rewardKinds: ['BADGE'] }),
    ])
    return () => this.#show(goals, grants)
  }

  protected override take(state: UserState): boolean {
    if (!state.goals || !state.badges) return true
    const goals = goalsAfter(this.#goals, state.goals)
    const grants = grantsAfter(this.#grants, state.badges)
    if (!goals || !grants) return false
    this.#show(goals, grants)
    return true
  }

  #show(goals: UserGoal[], grants: Grant[]): void {
    const before = this.#badges
    this.#goals = goals
    this.#grants = grants
    this.#badges = badgesOf(goals, grants)
    if (before) this.#welcome(before, this.#badges)
  }

  #welcome(before: Badge[], now: Badge[]): void {
    const counts = new Map(before.map(({ reward, issued }) => [reward.uuid, issued.length]))
    const fresh = now.filter(({ reward, issued }) => issued.length > (counts.get(reward.uuid) ?? 0))
    if (fresh.length === 0) return
    this.#fresh = new Set(fresh.map(({ reward }) => reward.uuid))
    this.saidAt = undefined
    this.said = fresh
      .map(({ reward }) => this.say.text('badgeNew', { name: words(reward.name) }))
      .join(' ')
  }

  #claim(badge: Badge): Promise<void> {
    return this.act(idOf(badge), (session) => this.claim(session, badge.ready))
  }

  #progress({ tasks }: UserGoal): string {
    const { say } = this
    const [only] = tasks
    return only && tasks.length === 1
      ? say.text('progress', { value: reachedOf(only), target: only.target })
      : say.percent(Math.floor(rateOf({ tasks }) * 100) / 100)
  }

  /** Why the goal that gives a badge is locked. */
  #lock(goal: UserGoal): string {
    const goals = missingOf(goal)
    return goals ? this.say.text('firstComplete', { goals }) : this.say.text('goalLocked')
  }

  #details(badge: Badge) {
    const { say } = this
    const { reward, issued, ready, held, goal } = badge
    const text = (value: string | null) => (value ? html`<p>${value}</p>` : nothing)
    if (ready.length > 0) {
      const isRunning = this.running === idOf(badge)
      const word = say.text(isRunning ? 'claiming' : 'claim')
      return html`${text(reward.description)}<button
          part="button"
          aria-disabled=${isRunning}
          aria-label="${word}: ${words(reward.name)}"
          @click=${() => void this.#claim(badge)}
        >${word}</button>`
    }
    const heldUntil = firstOf(held.map((grant) => grant.heldUntil))
    if (heldUntil)
      return html`${text(reward.description)}<small>${timeText(say, 'onWay', heldUntil)}</small>`
    const at = issued[0]?.issuedAt
    if (at)
      return html`${text(reward.description)}<small><time datetime=${at}>${say.text('badgeEarned', { date: say.date(at) })}</time></small>`
    if (!goal) return nothing
    const { name } = goal.goal
    return html`${text(name === words(reward.name) ? null : name)}
      <small class="number"><span class="hidden">${say.text('badgeMissing')}: </span>${
        goal.state === 'LOCKED' ? this.#lock(goal) : this.#progress(goal)
      }</small>`
  }

  #badge(badge: Badge): TemplateResult {
    const { reward, issued, held, goal } = badge
    const id = idOf(badge)
    const isMissing = !hasGrants(badge)
    const rate = isMissing && goal ? rateOf(goal) : undefined
    const isHeld = held.length > 0 && issued.length === 0
    const look = `${isMissing ? 'missing' : isHeld ? 'held' : 'earned'} ${this.#fresh.has(reward.uuid) ? 'fresh' : ''}`
    return html`<li class="badge ${look}" part="badge">
      ${medal(reward.uuid, reward.imageUrl, rate)}
      ${issued.length > 1 ? html`<span class="times number">×${issued.length}</span>` : nothing}
      <b id=${id} tabindex="-1">${words(reward.name)}</b>
      ${this.#details(badge)}
      ${this.saidAt === id && this.said ? html`<p class="said" aria-hidden="true">${this.said}</p>` : nothing}
    </li>`
  }

  protected override content(): TemplateResult {
    const badges = this.#badges ?? []
    const { say } = this
    const count = badges.filter(({ issued }) => issued.length > 0).length
    return html`<section class="card" part="card" aria-label=${say.text('badges')}>
      <div class="head">
        <h2 class="title" part="title">${say.text('badges')}</h2>
        ${
          badges.length > 0
            ? html`<span class="soft">${say.text('badgesEarned', { count, all: badges.length })}</span>`
            : nothing
        }
      </div>
      ${
        badges.length === 0
          ? html`<p class="notice">${say.text('noBadges')}</p>`
          : html`<ul class="wall">${repeat(badges, idOf, (badge) => this.#badge(badge))}</ul>`
      }
      <p class="hidden" role="status" aria-live="polite">${this.said}</p>
    </section>`
  }

  protected override skeleton(): TemplateResult {
    return html`<h2 class="title">${this.say.text('badges')}</h2>
      <div class="wall">${[1, 2, 3, 4].map(() => html`<div class="badge"><div class="bone round"></div></div>`)}</div>`
  }
}
