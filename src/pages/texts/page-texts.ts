/**
 * The texts of pages in the language of their brand, with its numbers, dates and amounts. To add a language, add it to the
 * enum `PageLanguage`, write its texts beside `en.ts`, and name both here.
 */
import type { PageLanguage } from '../../generated/prisma/enums.ts'
import { filled, type Html, html } from '../html.ts'
import { de } from './de.ts'
import { en, type PageTexts } from './en.ts'

type Language = {
  texts: PageTexts
  /** For `lang`. */
  tag: string
  /** For numbers and dates. */
  locale: string
}

const languages: Record<PageLanguage, Language> = {
  EN: { texts: en, tag: 'en', locale: 'en-GB' },
  DE: { texts: de, tag: 'de', locale: 'de-DE' },
}

export type TextKey = keyof PageTexts
type CountedText = { [K in TextKey]: K extends `${infer Name}_other` ? Name : never }[TextKey]
type Values = Record<string, string | number | Html>

/** The name of a time zone at a moment, such as `CET`. */
const zoneNameOf = (date: Date, locale: string, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })
  return parts.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

/** The texts of a page in one language. `text` is plain, `html` may have markup as values. */
export const textsIn = (language: PageLanguage | null, timeZone = 'UTC') => {
  const { texts, tag, locale } = languages[language ?? 'EN']
  const number = (value: number) => value.toLocaleString(locale)
  const shown = (value: Html | string | number) =>
    typeof value === 'number' ? number(value) : value
  const fill = (pattern: string, values: Values): Html =>
    filled(
      pattern,
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(value)])),
    )
  const text = (key: TextKey, values: Record<string, string | number> = {}): string =>
    texts[key].replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? ''
      return typeof value === 'number' ? number(value) : value
    })
  const rules = new Intl.PluralRules(locale)
  const keyFor = (name: CountedText, count: number): TextKey => {
    const key = `${name}_${rules.select(count)}` as TextKey
    return key in texts ? key : (`${name}_other` as TextKey)
  }
  const counted = (name: CountedText, count: number): string => text(keyFor(name, count), { count })
  return {
    tag,
    texts,
    number,
    text,
    keyFor,
    counted,
    html: (key: TextKey, values: Values): Html => fill(texts[key], values),
    points: (count: number): string => counted('points', count),
    money: ({ amountCents, currency }: { amountCents: number; currency: string }): string =>
      (amountCents / 100).toLocaleString(locale === 'en-GB' ? 'en' : locale, {
        style: 'currency',
        currency,
      }),
    /** A date and time, in the time zone of the page, with its name. */
    moment: (at: Date | string): Html => {
      const date = new Date(at)
      const shown = date.toLocaleString(locale, {
        dateStyle: 'long',
        timeStyle: 'short',
        timeZone,
      })
      const zone = zoneNameOf(date, locale, timeZone)
      return html`<time datetime="${date.toISOString()}" title="${timeZone}">${shown} ${zone}</time>`
    },
  }
}

export type Say = ReturnType<typeof textsIn>
