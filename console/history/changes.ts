/** Changes of settings as people read them: each field with its value before and after. */

import type { PageLanguage } from '../generated/types.ts'
import { humanized, moneyText, numberText, percentText, timeText } from '../parts/formats.ts'
import { brandTexts } from '../texts/brand-texts.ts'
import { fieldNames, partNames, historyTexts as texts } from '../texts/history-texts.ts'

export type Change = {
  readonly kind: string
  readonly uuid?: string | null
  readonly field: string
  readonly from?: unknown
  readonly to?: unknown
}

/** A field that differs. An empty text is no value. */
export type Line = { label: string; from: string; to: string }

/** One side of lines, as `Differences` takes it. */
type Side = readonly (readonly [label: string, text: string])[]

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isRows = (value: unknown): value is Row[] => Array.isArray(value) && value.every(isRow)

/** `maxTicketsPerUser` → `tickets per user`; `someField` → `some field`. */
const fieldText = (field: string): string =>
  fieldNames[field] ?? field.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const enumName = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/

const numbers: Readonly<Record<string, (value: number) => string>> = {
  winsPerMillion: (value) => percentText(value / 1_000_000),
  potShareBasisPoints: (value) => percentText(value / 10_000),
}

const numberOf = (field: string, value: number) => {
  const special = numbers[field]
  if (special) return special(value)
  return field.endsWith('Cents')
    ? moneyText({ amountCents: value, currency: 'USD' })
    : numberText(value)
}

/** The fields of states and types have names in small letters in the database. */
const isOfWords = (field: string) => /(?:type|status|stage|tier|role)$/i.test(field)

/** A value of a field. Objects are read by their fields. */
const valueText = (field: string, value: unknown): string => {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? texts.on : texts.off
  if (typeof value === 'number') return numberOf(field, value)
  if (typeof value === 'string') {
    if (moment.test(value)) return timeText(value)
    if (field === 'language') return brandTexts.languages[value as PageLanguage] ?? value
    if (field === 'timeZone') return value
    const isName = enumName.test(value) || (isOfWords(field) && field !== 'eventType')
    return isName ? humanized(value) : value
  }
  if (Array.isArray(value)) return value.map((item) => valueText(field, item)).join(', ')
  return Object.entries(value as Row)
    .filter(([, item]) => item !== null)
    .map(([name, item]) => `${fieldText(name)} ${valueText(name, item)}`)
    .join(', ')
}

/** What tells the rows of a list apart. */
const keyOf = (row: Row, n: number): string =>
  String(row['name'] ?? row['label'] ?? row['eventType'] ?? n + 1)

const withoutKey = ({ name, label, eventType, ...row }: Row): Row => row

/** The rows of two lists that differ, by their names. */
const rowLines = (field: string, from: Row[], to: Row[]): Line[] => {
  const [before, after] = [from, to].map(
    (rows) => new Map(rows.map((row, n) => [keyOf(row, n), valueText(field, withoutKey(row))])),
  ) as [Map<string, string>, Map<string, string>]
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => ({
      label: `${fieldText(field)}: ${key}`,
      from: before.get(key) ?? '',
      to: after.get(key) ?? '',
    }))
    .filter((line) => line.from !== line.to)
}

/** Rules are the settings themselves; other objects say which of them has the field. */
const nestedLabel = (label: string, field: string, name: string) =>
  field === 'rules' ? fieldText(name) : `${label}: ${fieldText(name)}`

const linesOfValue = (label: string, field: string, from: unknown, to: unknown): Line[] => {
  if (isRows(from ?? []) && isRows(to ?? []) && (Array.isArray(from) || Array.isArray(to)))
    return rowLines(field, (from ?? []) as Row[], (to ?? []) as Row[])
  if (isRow(from) && isRow(to))
    return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((name) =>
      linesOfValue(nestedLabel(label, field, name), name, from[name] ?? null, to[name] ?? null),
    )
  const line = { label, from: valueText(field, from), to: valueText(field, to) }
  return line.from === line.to ? [] : [line]
}

/** Fields that say where a part belongs. */
const places: readonly string[] = ['campaignId', 'goalId', 'position']

/** A part that was added or removed as a whole, such as a prize: what it is called, and all its fields as one text. */
const wholePartOf = (changes: readonly Change[]) => {
  const isAdded = changes.every(({ from }) => from === null)
  if (!isAdded && !changes.every(({ to }) => to === null)) return null
  const fields = changes.filter(({ field }) => !places.includes(field))
  const row = Object.fromEntries(
    fields.map((field) => [field.field, isAdded ? field.to : field.from]),
  )
  return { isAdded, key: keyOf(row, 0), text: valueText('', withoutKey(row)) }
}

const linesOfPart = (part: string, changes: readonly Change[]): Line[] => {
  const whole = wholePartOf(changes)
  if (!whole)
    return changes.flatMap(({ field, from, to }) =>
      linesOfValue(`${part}: ${fieldText(field)}`, field, from, to),
    )
  const { isAdded, key, text } = whole
  return [{ label: `${part}: ${key}`, from: isAdded ? '' : text, to: isAdded ? text : '' }]
}

/** The changes of each object, and what it is called if it is a part of another. */
const groupsOf = (changes: readonly Change[]) =>
  [...Map.groupBy(changes, ({ kind, uuid }) => `${kind} ${uuid ?? ''}`).values()].map((group) => ({
    part: partNames[group[0]?.kind ?? ''],
    group,
  }))

/** All fields that differ, one line each. */
export const linesOf = (changes: readonly Change[]): Line[] =>
  groupsOf(changes).flatMap(({ part, group }) =>
    part === undefined
      ? group.flatMap(({ field, from, to }) => linesOfValue(fieldText(field), field, from, to))
      : linesOfPart(part, group),
  )

/** The two sides of lines, for `Differences`. */
export const sidesOf = (lines: readonly Line[]): { from: Side; to: Side } => ({
  from: lines.map(({ label, from }) => [capital(label), from]),
  to: lines.map(({ label, to }) => [capital(label), to]),
})

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const longest = 40

const lineText = ({ label, from, to }: Line) => {
  if (from.length > longest || to.length > longest) return texts.aChange(label)
  return texts.changed(label, from || texts.nothing, to || texts.nothing)
}

const summariesOfPart = (part: string, group: readonly Change[]): string[] => {
  const whole = wholePartOf(group)
  if (!whole) return linesOfPart(part, group).map(lineText)
  const what = `${part} ${whole.key}`
  return [whole.isAdded ? texts.added(what) : texts.removed(what)]
}

const summariesOfField = ({ field, from, to }: Change): string[] => {
  const lines = linesOfValue(fieldText(field), field, from, to)
  if (lines.length === 0) return []
  return Array.isArray(from) || Array.isArray(to)
    ? [`${fieldText(field)}: ${texts.rowsChanged(lines.length)}`]
    : lines.map(lineText)
}

/** The changes in a few words: `points 10 → 77`. Of long lists, only how many rows changed. */
export const summaryOf = (changes: readonly Change[], most = 2): string => {
  const parts = groupsOf(changes).flatMap(({ part, group }) =>
    part === undefined ? group.flatMap(summariesOfField) : summariesOfPart(part, group),
  )
  const rest = parts.length - most
  return [...parts.slice(0, most), ...(rest > 0 ? [texts.more(rest)] : [])].join(', ')
}
