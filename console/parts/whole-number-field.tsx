import { type NumberInputProps, TextInput } from '@mantine/core'
import { lazy, Suspense } from 'react'

const WholeNumberInput = lazy(async () => ({
  default: (await import('./whole-number-input.tsx')).WholeNumberInput,
}))

/** A field for a whole number, loaded with the first form. Until then, a placeholder of the same height is shown. */
export const WholeNumberField = (props: NumberInputProps) => (
  <Suspense fallback={<TextInput disabled label={props.label} description={props.description} />}>
    <WholeNumberInput {...props} />
  </Suspense>
)
