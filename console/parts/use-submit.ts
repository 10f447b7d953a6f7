import type { UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { ChangeError, ConflictRefusal } from '../client/change.ts'
import { texts } from '../texts/shell-texts.ts'
import { nameInWords, sentenceOf } from './faults.ts'
import { NotConfirmed } from './use-confirmation.ts'

type Values = Record<string, unknown>

type Form = { getValues: () => Values; getInputNode: (name: string) => HTMLElement | null }

/** The value of a form at a path, such as `tiers.0.name`; undefined if it has no such field. */
const valueAt = (values: Values, names: readonly string[]) =>
  names.reduce<unknown>(
    (part, name) =>
      typeof part === 'object' && part !== null ? (part as Values)[name] : undefined,
    values,
  )

/** The field that shows the error of a path: the field itself, or the nearest list around it. */
const fieldFor = (form: Form, name: string) => {
  const names = name.split('.')
  for (let length = names.length; length > 0; length--) {
    const field = names.slice(0, length).join('.')
    const value = valueAt(form.getValues(), names.slice(0, length))
    if (value !== undefined && form.getInputNode(field))
      return { field, value, item: names[length] }
  }
  return null
}

/** What a label shows beside its text, such as the star of a required field, is hidden from its name. */
const textOf = (label: Element) =>
  [...label.childNodes]
    .filter((node) => !(node instanceof Element && node.ariaHidden === 'true'))
    .map(({ textContent }) => textContent)
    .join('')
    .trim()

/** The label of a field of the form as people see it; null if it has none. */
const labelIn = (form: Form, name: string): string | null => {
  const node = form.getInputNode(name)
  if (!node) return null
  const [label = node.ownerDocument.getElementById(node.getAttribute('aria-labelledby') ?? '')] =
    (node as HTMLInputElement).labels ?? []
  return (label ? textOf(label) : node.ariaLabel) || null
}

/** Names an item of a list: by its text, or by its number if it is a row. */
const itemText = (list: unknown, item: string) => {
  const value = Array.isArray(list) ? list[Number(item)] : undefined
  return typeof value === 'string' ? texts.quoted(value) : texts.row(Number(item) + 1)
}

/** Splits the errors of the server into messages for fields of the form, and the rest, if there is any. */
const sortOut = (error: ChangeError, form: Form, nameOf: (path: string) => string) => {
  const atFields: Record<string, string> = {}
  const elsewhere: ChangeError['fields'][number][] = []
  for (const fault of error.fields) {
    const path = fault.path.filter((part) => part !== 'input').join('.')
    const place = fieldFor(form, nameOf(path))
    if (!place) elsewhere.push(fault)
    else {
      const label =
        place.item === undefined
          ? (labelIn(form, place.field) ?? nameInWords(place.field))
          : itemText(place.value, place.item)
      const text = sentenceOf(fault.message, label, (name) => labelIn(form, nameOf(name)))
      const before = atFields[place.field]
      atFields[place.field] = before === undefined ? text : `${before}. ${text}`
    }
  }
  const { code, message, requestId } = error
  const isAllAtFields = error.fields.length > 0 && elsewhere.length === 0
  return {
    atFields,
    rest: isAllAtFields
      ? null
      : new ChangeError({ code, message, fieldErrors: elsewhere }, requestId),
  }
}

/** Sends a form: `submit` makes the change. Errors of the server are shown at their fields. */
export const useSubmit = <V extends Values>(props: {
  form: UseFormReturnType<V>
  submit: (values: V) => Promise<unknown>
  /** The message on success. */
  done?: string | undefined
  /** The field of the form that holds a field of the input, where their names differ. */
  nameOf?: ((path: string) => string) | undefined
}) => {
  const { form, submit, done, nameOf = (path) => path } = props
  const [error, setError] = useState<Error | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const refuse = (cause: unknown) => {
    // The conflict dialog handles it, or the member has decided not to save.
    if (cause instanceof ConflictRefusal || cause instanceof NotConfirmed) return
    if (!(cause instanceof ChangeError)) return setError(cause as Error)
    const { atFields, rest } = sortOut(cause, form, nameOf)
    form.setErrors(atFields)
    setError(rest)
    const [first] = Object.keys(atFields)
    if (first !== undefined) form.getInputNode(first)?.focus()
  }
  const save = form.onSubmit(async (values) => {
    setIsBusy(true)
    setError(null)
    try {
      await submit(values)
      if (done) notifications.show({ message: done, color: 'teal' })
    } catch (cause) {
      refuse(cause)
    } finally {
      setIsBusy(false)
    }
  })
  return { save, error, isBusy, forget: () => setError(null) }
}
