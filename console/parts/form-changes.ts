import type { UseFormReturnType } from '@mantine/form'

/** Values as the API takes them: null instead of an empty text. */
type Sent<Values> = {
  [Field in keyof Values]: Values[Field] | ('' extends Values[Field] ? null : never)
}

export const sentOf = <Values extends object>(values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, value === '' ? null : value]),
  ) as Sent<Values>

/** Only the fields that were edited, so that concurrent changes of other fields are kept. */
export const changesIn = <Values extends Record<string, unknown>>(
  form: Pick<UseFormReturnType<Values>, 'isDirty'>,
  values: Values,
) =>
  Object.fromEntries(
    Object.entries(sentOf(values)).filter(([field]) => form.isDirty(field)),
  ) as Partial<Sent<Values>>
