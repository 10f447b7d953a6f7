import { SegmentedControl } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { periodTexts } from '../texts/period-texts.ts'

const dayMs = 24 * 3600 * 1000

const periods = { '7': 7, '30': 30, '90': 90 } as const
type PeriodName = keyof typeof periods

/** The days that a page shows, ending today, from `?days=` in its URL; as whole days of UTC. */
export const usePeriod = (fallback: PeriodName = '30') => {
  const [{ days }] = usePageSearch()
  const name = days !== undefined && days in periods ? (days as PeriodName) : fallback
  const count = periods[name]
  const tomorrow = Math.floor(Date.now() / dayMs + 1) * dayMs
  const at = (daysAgo: number) => new Date(tomorrow - daysAgo * dayMs).toISOString()
  return { name, days: count, from: at(count), to: at(0), before: at(2 * count) }
}

export const PeriodPicker = ({ of }: { of: { name: PeriodName } }) => {
  const [, setSearch] = usePageSearch()
  return (
    <SegmentedControl
      size="xs"
      aria-label={periodTexts.period}
      value={of.name}
      onChange={(days) => setSearch({ days })}
      data={Object.keys(periods).map((value) => ({ value, label: periodTexts.days(value) }))}
    />
  )
}
