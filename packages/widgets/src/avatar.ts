import { html, type TemplateResult } from 'lit'

const hues = [
  '#6a4df5',
  '#0b7f96',
  '#b02d7c',
  '#2c5be0',
  '#8a34d6',
  '#0a7560',
  '#a34a00',
  '#54617a',
]

/** The initials of a name on a color derived from a key. */
export const avatar = (name: string, key: string): TemplateResult => {
  let sum = 0
  for (const character of key) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  const words = name.split(/[\s._-]+/).filter((word) => word !== '')
  const letters = words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join('')
  return html`<svg class="avatar" viewBox="0 0 40 40" width="40" height="40" aria-hidden="true">
    <circle cx="20" cy="20" r="20" fill=${hues[sum % hues.length] as string}></circle>
    <text x="20" y="21" fill="#fff" font-size="15" font-weight="700" text-anchor="middle" dominant-baseline="central">${letters || '?'}</text>
  </svg>`
}
