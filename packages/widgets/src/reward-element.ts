/** The base of widgets with rewards that are claimed. */
import { FollowingElement } from './following-element.ts'
import { rewardText } from './goal-card.ts'
import { claimGrants, type Grant } from './goal-data.ts'
import { Problem } from './problem.ts'
import type { Session } from './session.ts'
import type { TextKey } from './texts.ts'

const refusals: Record<string, TextKey> = {
  GOAL_JOINED: 'joinFailed',
  GOAL_NOT_OPEN: 'joinFailed',
  GOAL_NOT_ACTIVE: 'joinFailed',
  GOAL_NOT_FOUND: 'joinFailed',
  USER_NOT_FOUND: 'joinFailed',
  GRANT_NOT_ACTIVE: 'rewardGone',
  GRANT_NOT_FOUND: 'rewardGone',
}

export abstract class RewardElement extends FollowingElement {
  /** The text of the last action or completion, for screen readers. */
  protected said = ''
  /** What was acted on, which shows the text, too. */
  protected saidAt: string | undefined
  /** What an action is running for. */
  protected running: string | undefined

  protected override get isBusy(): boolean {
    return this.running !== undefined
  }

  /** Runs one action at a time, says what became of it, and reads again. */
  protected async act(name: string, action: (session: Session) => Promise<string>): Promise<void> {
    const { session } = this
    if (!session || this.running !== undefined) return
    const focused = this.shadowRoot?.activeElement
    this.running = name
    this.saidAt = name
    this.#say('')
    try {
      this.#say(await action(session))
    } catch (error) {
      const problem = error instanceof Problem ? error : new Problem('FAILED', String(error))
      this.#say(this.refusal(problem))
      this.fail(problem)
    }
    await this.load(session).catch(() => undefined)
    session.dispatchEvent(new Event('reward'))
    this.running = undefined
    this.takeEarly()
    this.requestUpdate()
    await this.updateComplete
    // A button that is gone or has moved leaves the focus with what it belonged to.
    if (focused && !this.shadowRoot?.activeElement)
      (this.shadowRoot?.getElementById(name) as HTMLElement | null)?.focus()
  }

  /** The text for users about an action that failed. */
  protected refusal(problem: Problem): string {
    const text = refusals[problem.code]
    return text ? this.say.text(text) : this.explain(problem)
  }

  #say(text: string): void {
    this.said = text
    this.requestUpdate()
  }

  protected readonly onWait = (problem: Problem): void => this.#say(this.explain(problem))

  /** Claims grants, and returns what to say. */
  protected async claim(session: Session, grants: Grant[]): Promise<string> {
    if (grants.length === 0) return this.say.text('rewardGone')
    const claimed = await claimGrants(session, grants, this.onWait)
    if (claimed.length < grants.length) session.refreshBalance()
    if (claimed.length === 0) return this.say.text('rewardHad')
    const balance = session.balance ?? 0
    for (const grant of claimed) this.emit('grant-claim', { grant, balance })
    const names = claimed.map(({ reward, points }) => rewardText(this.say, { ...reward, points }))
    return this.say.text('rewardClaimed', { reward: names.join(', ') })
  }
}
