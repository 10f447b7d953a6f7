import { type NumberInputProps, Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'

const WholeNumberInput = lazy(async () => ({
  default: (await import('./whole-number-input.tsx')).WholeNumberInput,
}))

/** A field for a whole number. It is loaded with the first form that is shown. */
export const WholeNumberField = (props: NumberInputProps) => (
  <Suspense fallback={<Skeleton h={36} />}>
    <WholeNumberInput {...props} />
  </Suspense>
)
