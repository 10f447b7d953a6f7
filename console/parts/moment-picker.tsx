import { DateTimePicker } from '@mantine/dates'
import type { ReactNode } from 'react'
import { texts } from '../texts/shell-texts.ts'

/** A time as ISO text, picked in the local time zone. Takes the props of `form.getInputProps`. */
export const MomentPicker = (props: {
  label: string
  description?: string
  clearable?: boolean
  value?: string | null
  onChange?: (value: string | null) => void
  error?: ReactNode
  'data-path'?: string
}) => {
  const { label, description, clearable = false, value, onChange, error } = props
  return (
    <DateTimePicker
      label={label}
      description={description}
      clearable={clearable}
      valueFormat="D MMM YYYY, HH:mm"
      value={value ? new Date(value) : null}
      onChange={(local) => onChange?.(local && new Date(local.replace(' ', 'T')).toISOString())}
      error={error}
      data-path={props['data-path']}
      ariaLabels={texts.calendar}
      submitButtonProps={{ 'aria-label': texts.calendar.apply }}
      timePickerProps={{
        hoursInputLabel: texts.calendar.hours,
        minutesInputLabel: texts.calendar.minutes,
      }}
    />
  )
}
