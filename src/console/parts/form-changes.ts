import type { UseFormReturnType } from '@mantine/form'

/** Values as the API takes them: an empty text is none. */
type Sent<Values> = {
  [Field in keyof Values]: Values[Field] | ('' extends Values[Field] ? null : never)
}

export const sentOf = <Values extends object>(values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, value === '' ? null : value]),
  ) as Sent<Values>

/** Only what was changed in a form, so that what others change meanwhile stays. */
export const changesIn = <Values extends Record<string, unknown>>(
  form: Pick<UseFormReturnType<Values>, 'isDirty'>,
  values: Values,
) =>
  Object.fromEntries(
    Object.entries(sentOf(values)).filter(([field]) => form.isDirty(field)),
  ) as Partial<Sent<Values>>
