import { TextInput } from '@mantine/core'
import { type ComponentProps, lazy, Suspense } from 'react'

const MomentPicker = lazy(async () => ({
  default: (await import('./moment-picker.tsx')).MomentPicker,
}))

/**
 * A field for a time. The calendar is loaded when the first field is shown, usually in a dialog. Until then, a
 * placeholder of the same height is shown.
 */
export const MomentField = (props: ComponentProps<typeof MomentPicker>) => (
  <Suspense fallback={<TextInput disabled label={props.label} description={props.description} />}>
    <MomentPicker {...props} />
  </Suspense>
)
