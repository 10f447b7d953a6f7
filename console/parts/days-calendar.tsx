import { DatePicker } from '@mantine/dates'
import { useState } from 'react'
import { texts } from '../texts/shell-texts.ts'
import { type DayMark, markToday } from './mark-today.ts'
import type { Days } from './periods.ts'

/** A calendar for the first and the last day of a period, up to today. */
export const DaysCalendar = (props: {
  of: Days | null
  today: string
  onChoose: (days: Days) => void
}) => {
  const { of, today, onChoose } = props
  const [range, setRange] = useState<[string | null, string | null]>([
    of?.first ?? null,
    of?.last ?? null,
  ])
  const marks: DayMark = markToday(today)
  return (
    <DatePicker
      type="range"
      size="xs"
      allowSingleDateInRange
      value={range}
      defaultDate={of?.last ?? today}
      maxDate={today}
      onChange={([first, last]) => {
        setRange([first, last])
        if (first && last) onChoose({ first, last })
      }}
      getDayProps={marks}
      ariaLabels={texts.calendar}
    />
  )
}
