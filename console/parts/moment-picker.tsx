import { DateTimePicker } from '@mantine/dates'
import { type ReactNode, useState } from 'react'
import { shownToday, shownZone } from '../shown-zone.ts'
import { timeZoneTexts } from '../texts/period-texts.ts'
import { texts } from '../texts/shell-texts.ts'
import { clockTime, momentIn } from '../zones.ts'
import { markToday } from './mark-today.ts'
import { MomentHint } from './moment-hint.tsx'
import { isPast } from './past.ts'

/** A time as ISO text, picked in the time zone of the partner. Takes the props of `form.getInputProps`. */
export const MomentPicker = (props: {
  label: string
  description?: string
  clearable?: boolean
  /** Whether a time in the past is refused. The time that the field had at first stays valid. */
  isAhead?: boolean
  value?: string | null
  onChange?: (value: string | null) => void
  error?: ReactNode
  'data-path'?: string
}) => {
  const { label, description, clearable = false, isAhead = false, value, onChange, error } = props
  const [first] = useState(value)
  const today = shownToday()
  const past = isAhead && isPast(value, first) ? timeZoneTexts.past : null
  return (
    <DateTimePicker
      label={label}
      description={<MomentHint text={description} value={value} />}
      clearable={clearable}
      valueFormat="D MMM YYYY, HH:mm"
      value={value ? clockTime(shownZone(), Date.parse(value)) : null}
      onChange={(time) => onChange?.(time && new Date(momentIn(shownZone(), time)).toISOString())}
      defaultDate={today}
      {...(isAhead && { minDate: today })}
      getDayProps={markToday(today)}
      error={error ?? past}
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
