import classes from './calendar.module.css'

export type DayMark = (day: string) => { 'aria-current'?: 'date'; className?: string }

/** Marks today in a calendar: where times are shown, which may not be the browser's today. */
export const markToday =
  (today: string): DayMark =>
  (day) =>
    day === today ? { 'aria-current': 'date', className: classes['today'] ?? '' } : {}
