import { TextInput } from '@mantine/core'
import { type ComponentProps, lazy, Suspense } from 'react'

const MomentPicker = lazy(async () => ({
  default: (await import('./moment-picker.tsx')).MomentPicker,
}))

/**
 * A field for a time. Its calendar is loaded with the first field that is shown, which is most often in a dialog; its
 * place has the same height.
 */
export const MomentField = (props: ComponentProps<typeof MomentPicker>) => (
  <Suspense fallback={<TextInput disabled label={props.label} description={props.description} />}>
    <MomentPicker {...props} />
  </Suspense>
)
