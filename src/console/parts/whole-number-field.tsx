import { type NumberInputProps, TextInput } from '@mantine/core'
import { lazy, Suspense } from 'react'

const WholeNumberInput = lazy(async () => ({
  default: (await import('./whole-number-input.tsx')).WholeNumberInput,
}))

/** A field for a whole number. It is loaded with the first form that is shown; its place has the same height. */
export const WholeNumberField = (props: NumberInputProps) => (
  <Suspense fallback={<TextInput disabled label={props.label} description={props.description} />}>
    <WholeNumberInput {...props} />
  </Suspense>
)
