/**
 * Errors in people's words. The server names a field as the schema does and says what is wrong with it. People know the
 * field by its label.
 */
import { ChangeError } from '../client/change.ts'
import { RequestError } from '../client/request.ts'
import { faultTexts, refusalTexts } from '../texts/fault-texts.ts'
import { texts } from '../texts/shell-texts.ts'
import { humanized } from './formats.ts'

/** The label of a field, by its path in the form; null if the form does not have it. */
type LabelOf = (path: string) => string | null

type Fault = { readonly path: readonly (string | number)[]; readonly message: string }

const noLabels: LabelOf = () => null

/** `endsAt` → `Ends at`. */
export const nameInWords = (name: string) => humanized(name.replace(/(?<=[a-z])(?=[A-Z])/g, '_'))

/** The server begins with the path of the field: `endsAt must be after startsAt`. Other messages are sentences. */
const said = /^(?<path>[a-z][\w.]*) (?<rest>(?:must|is|needs|has|have|names?) .*)$/s

/** Upper-case words that people know. */
const known = new Set(['URL', 'KB', 'JSON', 'ISO', 'UUID', 'USD', 'CIDR', 'ID', 'JWKS', 'RSA'])

/** Replaces names of the schema. A name of one word is one only after a word that refers to a field. */
const inWords = (text: string, labelOf: LabelOf) =>
  text
    .replace(/`?\b([a-z]+[A-Z]\w*)\b`?/g, (_, name) => labelOf(name) ?? nameInWords(name))
    .replace(
      /(?<=\b(?:after|before|below|least|exceed|than|unless|with|without|of) )`?([a-z]+)\b`?/g,
      (as, name) => labelOf(name) ?? as,
    )
    .replace(/\b[A-Z]{2,}(?:_[A-Z]+)*\b/g, (word) =>
      known.has(word) ? word : texts.quoted(humanized(word)),
    )

/** `endsAt must be after startsAt` → `Ends must be after Starts`, by the labels of the fields. */
export const sentenceOf = (message: string, label: string, labelOf = noLabels): string => {
  const { rest } = said.exec(message)?.groups ?? {}
  if (rest === undefined) return message.charAt(0).toUpperCase() + message.slice(1)
  const [, text] = faultTexts.find(([says]) => says.test(rest)) ?? []
  return text?.(label) ?? `${label} ${inWords(rest, labelOf)}`
}

/** The name of a field that no form shows: its last word, and the row of a list. */
const nameOfPath = (path: readonly (string | number)[]) => {
  const name = path.findLast((part) => Number.isNaN(Number(part)))
  const row = path.findLast((part) => !Number.isNaN(Number(part)))
  const label = nameInWords(String(name ?? ''))
  return row === undefined ? label : `${texts.row(Number(row) + 1)}: ${label}`
}

const sentenceOfPath = ({ path, message }: Fault) => sentenceOf(message, nameOfPath(path))

/** What to say where the details of a refusal are missing. */
const vague: Record<string, string> = {
  VALIDATION_FAILED: refusalTexts.notValid,
  INVALID_PARAMETERS: refusalTexts.notFound,
}

/** A sentence for an error without details. */
export const sentenceOfCode = ({ code, message }: { code: string; message: string }) =>
  vague[code] ?? message

/** The sentences of an error. Those of the parts of the input are more specific than that of the whole. */
export const sentencesOf = (error: Error): string[] => {
  if (!(error instanceof RequestError)) return [error.message]
  const faults = [...(error instanceof ChangeError ? error.fields : []), ...error.parts]
  return faults.length > 0 ? [...new Set(faults.map(sentenceOfPath))] : [sentenceOfCode(error)]
}
