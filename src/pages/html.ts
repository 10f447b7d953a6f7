/** HTML templates that escape their values. */

/** Markup made by `html`, which is not escaped again. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] as string)

type Part = Html | string | number | null | undefined | false | Part[]

const render = (part: Part): string => {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(render).join('')
  if (part === null || part === undefined || part === false) return ''
  return escapeHtml(String(part))
}

/** Markup with values. Text is escaped; other markup and lists of it are inserted unchanged. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(strings.reduce((text, string, i) => text + render(parts[i - 1]) + string))

/** A text in which each `{name}` is replaced by a value. */
export const filled = (text: string, values: Record<string, Html | string>): Html =>
  html`${text.split(/\{(\w+)\}/g).map((part, i) => (i % 2 === 1 ? (values[part] ?? '') : part))}`
