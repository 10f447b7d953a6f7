/** The card of a goal as the widget shows it, for the console. */
import { adoptStyles, html, nothing, render } from 'lit'
import { goalCard } from './goal-card.ts'
import type { Grant, UserGoal } from './goal-data.ts'
import { goalsStyles } from './goals-styles.ts'
import { createSay } from './texts.ts'
import { theme } from './theme.ts'

export type GoalPicture = { of: UserGoal; grants: Grant[] }

/** Draws a card in an element, or draws it again. Its button does nothing. */
export const drawGoal = (host: HTMLElement, { of, grants }: GoalPicture): void => {
  const say = createSay('en')
  const { nextAction } = of
  const action =
    nextAction === 'JOIN' || nextAction === 'CLAIM'
      ? html`<span class="button">${say.text(nextAction === 'JOIN' ? 'join' : 'claim')}</span>`
      : nothing
  let root = host.shadowRoot
  if (!root) {
    root = host.attachShadow({ mode: 'open' })
    adoptStyles(root, [theme, goalsStyles])
  }
  render(html`<ul class="goals alone">${goalCard(say, of, { grants, action })}</ul>`, root)
}
