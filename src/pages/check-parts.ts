/** What the pages that check a proof in the browser share. */
import type { Finding } from '../../packages/verifier/finding.ts'

export const element = (
  name: string,
  className: string,
  ...children: (string | Node)[]
): HTMLElement => {
  const made = document.createElement(name)
  if (className) made.className = className
  made.append(...children)
  return made
}

export const listOf = (findings: Finding[]): HTMLElement =>
  element('ul', '', ...findings.map(({ ok, text }) => element('li', ok ? '' : 'bad', text)))
