/** The period of a page: its days, in the time zone of the partner, and what they are compared with. The URL has both. */
import { Button, Group, Menu, Popover, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { type Search, usePageSearch } from '../client/link.tsx'
import { shownZone } from '../shown-zone.ts'
import { periodTexts as texts } from '../texts/period-texts.ts'
import { dayIn, startOfDay } from '../zones.ts'
import { chosen } from './choice-field.tsx'
import { datesText, daysText } from './formats.ts'
import { IconCalendar, IconChevronDown } from './icons.ts'
import classes from './period.module.css'
import {
  addDays,
  type Comparison,
  comparisons,
  countDays,
  type Days,
  daysOf,
  earlierDays,
  isDay,
  type Preset,
  presets,
} from './periods.ts'

const DaysCalendar = lazy(async () => ({
  default: (await import('./days-calendar.tsx')).DaysCalendar,
}))

/** The days of an address: `?period=last-month`, or `?from=2026-10-01&to=2026-10-31`. Null if it names none. */
const daysIn = (search: Search, today: string): (Days & { preset: Preset | null }) | null => {
  const { from, to } = search
  if (isDay(from) && isDay(to) && from <= to) return { first: from, last: to, preset: null }
  const preset = chosen(search['period'], presets)
  return preset ? { ...daysOf(preset, today), preset } : null
}

const spanOf = ({ first, last }: Days, timeZone: string) => ({
  from: new Date(startOfDay(timeZone, first)).toISOString(),
  to: new Date(startOfDay(timeZone, addDays(last, 1))).toISOString(),
})

/** A change of the address to other days. A list starts at its first page again. */
const toDays = (change: { preset: Preset } | Days | null): Search => ({
  period: change && 'preset' in change ? change.preset : undefined,
  from: change && 'first' in change ? change.first : undefined,
  to: change && 'first' in change ? change.last : undefined,
  after: undefined,
  before: undefined,
})

/** The days that a page shows, as its address says. */
export type Period = Days & {
  preset: Preset | null
  days: number
  /** The first moment, and the first one after it. */
  from: string
  to: string
  timeZone: string
  today: string
  /** `Last month`, or its days. */
  label: string
}

const periodOf = (
  days: Days & { preset: Preset | null },
  timeZone: string,
  today: string,
): Period => ({
  ...days,
  ...spanOf(days, timeZone),
  days: countDays(days),
  timeZone,
  today,
  label: days.preset ? texts.presets[days.preset] : datesText(days),
})

/** The period of a list, for a filter `{from, to}`. Null for any time. */
export const useListPeriod = (): Period | null => {
  const [search] = usePageSearch()
  const timeZone = shownZone()
  const today = dayIn(timeZone, Date.now())
  const days = daysIn(search, today)
  return days && periodOf(days, timeZone, today)
}

/** The filter of a period. */
export const rangeOf = ({ from, to }: Period) => ({ from, to })

/** A period, and the earlier one. */
export type ComparedPeriod = Period & {
  by: Comparison | null
  /** Its days; null without a comparison. */
  earlier: Days | null
  /** `vs Oct 1 – 31`. */
  earlierLabel: string
  /** The variables of a query of both. The earlier span is asked for only if `isCompared`. */
  variables: {
    from: string
    to: string
    timeZone: string
    earlierFrom: string
    earlierTo: string
    isCompared: boolean
  }
}

/** The period of a page of charts. `timeZone` is that of the days; the partner's if left out. */
export const usePeriod = (
  fallback: Preset = '30-days',
  timeZone: string = shownZone(),
): ComparedPeriod => {
  const [search] = usePageSearch()
  const today = dayIn(timeZone, Date.now())
  const days = daysIn(search, today) ?? { ...daysOf(fallback, today), preset: fallback }
  const period = periodOf(days, timeZone, today)
  const by =
    search['compare'] === 'none' ? null : (chosen(search['compare'], comparisons) ?? 'previous')
  const earlier = by && earlierDays(days, { by, preset: days.preset, today })
  const span = spanOf(earlier ?? days, timeZone)
  const isSameYear = earlier?.first.slice(0, 4) === today.slice(0, 4)
  return {
    ...period,
    by,
    earlier,
    earlierLabel: earlier ? (isSameYear ? daysText : datesText)(earlier) : '',
    variables: {
      from: period.from,
      to: period.to,
      timeZone,
      earlierFrom: span.from,
      earlierTo: span.to,
      isCompared: earlier !== null,
    },
  }
}

const Choice = (props: { label: string; isChosen: boolean; onClick: () => void }) => (
  <Button
    size="compact-sm"
    variant={props.isChosen ? 'light' : 'subtle'}
    color={props.isChosen ? 'ember' : 'gray'}
    className={classes['choice'] ?? ''}
    justify="flex-start"
    aria-pressed={props.isChosen}
    fw={props.isChosen ? 650 : 500}
    onClick={props.onClick}
  >
    {props.label}
  </Button>
)

/** Chooses days: a preset, or the first and the last day in a calendar. */
const DaysChoice = (props: {
  of: Period | null
  today: string
  /** Whether no period can be chosen, too. */
  isOptional: boolean
  onChoose: (change: { preset: Preset } | Days | null) => void
}) => {
  const { of, today, isOptional, onChoose } = props
  return (
    <div className={classes['panel'] ?? ''}>
      <div className={classes['choices'] ?? ''}>
        {isOptional && (
          <Choice label={texts.anyTime} isChosen={of === null} onClick={() => onChoose(null)} />
        )}
        {presets.map((preset) => (
          <Choice
            key={preset}
            label={texts.presets[preset]}
            isChosen={of?.preset === preset}
            onClick={() => onChoose({ preset })}
          />
        ))}
      </div>
      <Stack gap={4}>
        <Text size="xs" c="dimmed">
          {texts.custom}
        </Text>
        <Suspense fallback={<Skeleton h={266} w={252} aria-busy />}>
          <DaysCalendar of={of} today={today} onChoose={onChoose} />
        </Suspense>
      </Stack>
    </div>
  )
}

const PeriodButton = (props: {
  of: Period | null
  today: string
  isOptional?: boolean
  size?: string
}) => {
  const { of, today, isOptional = false, size = 'xs' } = props
  const [, setSearch] = usePageSearch()
  const [isOpen, { toggle, close }] = useDisclosure()
  const label = of?.label ?? texts.anyTime
  return (
    <Popover
      opened={isOpen}
      onChange={(open) => !open && close()}
      position={isOptional ? 'bottom-start' : 'bottom-end'}
      trapFocus
      returnFocus
      withinPortal
      shadow="md"
    >
      <Popover.Target>
        <Button
          size={size}
          variant="default"
          leftSection={<IconCalendar size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          onClick={toggle}
        >
          <VisuallyHidden>{texts.period}: </VisuallyHidden>
          {label}
          {of?.preset && (
            <Text span inherit c="dimmed" fw={400} ml={6} visibleFrom="xs">
              {daysText(of)}
            </Text>
          )}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.period} p="xs">
        <DaysChoice
          of={of}
          today={today}
          isOptional={isOptional}
          onChoose={(change) => {
            close()
            setSearch(toDays(change))
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Filters a list by time: any time, a preset, or days from a calendar. Goes with `useListPeriod`. */
export const PeriodField = ({ of }: { of: Period | null }) => (
  <PeriodButton of={of} today={of?.today ?? dayIn(shownZone(), Date.now())} isOptional size="sm" />
)

const CompareButton = ({ of }: { of: ComparedPeriod }) => {
  const { by, earlier, earlierLabel, today, preset } = of
  const [, setSearch] = usePageSearch()
  const label = earlier
    ? texts.comparedWith(earlierLabel)
    : by === null
      ? texts.notCompared
      : texts.notYet
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={`${texts.compare}: ${label}`}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {comparisons.map((comparison) => {
          const days = earlierDays(of, { by: comparison, preset, today })
          return (
            <Menu.Item
              key={comparison}
              aria-current={by === comparison}
              fw={by === comparison ? 650 : 400}
              disabled={days === null}
              rightSection={
                <Text size="xs" c="dimmed" ml="md">
                  {days && datesText(days)}
                </Text>
              }
              onClick={() =>
                setSearch({ compare: comparison === 'previous' ? undefined : comparison })
              }
            >
              {texts.comparisons[comparison]}
            </Menu.Item>
          )
        })}
        <Menu.Item
          aria-current={by === null}
          fw={by === null ? 650 : 400}
          onClick={() => setSearch({ compare: 'none' })}
        >
          {texts.none}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Chooses the period of a page of charts, and what it is compared with. Goes with `usePeriod`. */
export const PeriodPicker = (props: {
  of: ComparedPeriod
  /** False for a page that shows no earlier period. */
  isCompared?: boolean
}) => (
  <Group gap="xs">
    <PeriodButton of={props.of} today={props.of.today} />
    {props.isCompared !== false && <CompareButton of={props.of} />}
  </Group>
)
