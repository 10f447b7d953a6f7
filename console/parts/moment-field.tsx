import { TextInput } from '@mantine/core'
import { type ComponentProps, lazy, Suspense } from 'react'
import { MomentHint } from './moment-hint.tsx'

const MomentPicker = lazy(async () => ({
  default: (await import('./moment-picker.tsx')).MomentPicker,
}))

/**
 * A field for a time. The calendar is loaded when the first field is shown, usually in a dialog. Until then, a
 * placeholder of the same height is shown.
 */
export const MomentField = (props: ComponentProps<typeof MomentPicker>) => (
  <Suspense
    fallback={
      <TextInput
        disabled
        label={props.label}
        description={<MomentHint text={props.description} value={props.value} />}
      />
    }
  >
    <MomentPicker {...props} />
  </Suspense>
)
