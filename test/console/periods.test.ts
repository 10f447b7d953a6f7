import { describe, expect, it } from 'vitest'
import { changeOf } from '../../console/overview/home-times.ts'
import { comparedFigure, hasDataIn } from '../../console/parts/figures.ts'
import {
  addMonths,
  type Comparison,
  countDays,
  daysOf,
  earlierDays,
  isDay,
  type Preset,
  presets,
} from '../../console/parts/periods.ts'

const span = (first: string, last: string) => ({ first, last })

describe('a preset', () => {
  it.each<[Preset, string, string, string]>([
    ['today', '2026-11-30', '2026-11-30', '2026-11-30'],
    ['7-days', '2026-03-02', '2026-02-24', '2026-03-02'],
    ['30-days', '2026-11-30', '2026-11-01', '2026-11-30'],
    ['this-month', '2028-02-29', '2028-02-01', '2028-02-29'],
    ['last-month', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['last-month', '2027-01-15', '2026-12-01', '2026-12-31'],
    ['this-quarter', '2026-11-30', '2026-10-01', '2026-11-30'],
    ['last-quarter', '2026-11-30', '2026-07-01', '2026-09-30'],
    ['last-quarter', '2027-01-01', '2026-10-01', '2026-12-31'],
  ])('%s on %s is %s to %s', (preset, today, first, last) => {
    expect(daysOf(preset, today)).toEqual(span(first, last))
  })

  it('has as many days as its name says', () => {
    const today = '2026-03-29'
    expect(presets.slice(1, 4).map((preset) => countDays(daysOf(preset, today)))).toEqual([
      7, 30, 90,
    ])
  })
})

describe('the earlier period', () => {
  const earlier = (preset: Preset, by: Comparison, today: string) =>
    earlierDays(daysOf(preset, today), { by, preset, today })

  it.each<[Preset, Comparison, string, [string, string] | null]>([
    // November against October, though October is longer.
    ['last-month', 'previous', '2026-12-10', ['2026-10-01', '2026-10-31']],
    ['last-month', 'year', '2026-12-10', ['2025-11-01', '2025-11-30']],
    ['last-quarter', 'previous', '2026-11-30', ['2026-04-01', '2026-06-30']],
    // Only the days that are over: 29 of 30.
    ['30-days', 'previous', '2026-11-30', ['2026-10-02', '2026-10-30']],
    ['30-days', 'year', '2026-11-30', ['2025-11-01', '2025-11-29']],
    ['this-month', 'previous', '2026-11-10', ['2026-10-01', '2026-10-09']],
    // February has no 30th.
    ['this-month', 'previous', '2026-03-31', ['2026-02-01', '2026-02-28']],
    ['this-month', 'year', '2028-02-29', ['2027-02-01', '2027-02-28']],
    // October and November are over, but the quarter is not.
    ['this-quarter', 'previous', '2026-12-01', ['2026-07-01', '2026-08-30']],
    // Nothing of it is over.
    ['today', 'previous', '2026-11-30', null],
    ['this-month', 'previous', '2026-11-01', null],
  ])('of %s by %s on %s', (preset, by, today, days) => {
    expect(earlier(preset, by, today)).toEqual(days && span(...days))
  })

  it('of whole months from a calendar is the same number of months before', () => {
    const of = (first: string, last: string) =>
      earlierDays(span(first, last), { by: 'previous', preset: null, today: '2026-11-30' })
    expect(of('2026-03-01', '2026-03-31')).toEqual(span('2026-02-01', '2026-02-28'))
    expect(of('2026-01-01', '2026-02-28')).toEqual(span('2025-11-01', '2025-12-31'))
    expect(of('2026-03-02', '2026-03-31')).toEqual(span('2026-01-31', '2026-03-01'))
  })
})

describe('the change of today', () => {
  const hour = (endsAt: string, value: number) => ({
    endsAt: `2026-11-23T${endsAt}:00.000Z`,
    value,
  })
  const earlier = [hour('10:00', 100), hour('11:00', 60), hour('12:00', 500)]

  it.each([
    ['10:00', 50, -0.5],
    // A quarter of the hour from 10 to 11 has passed.
    ['10:15', 115, 0],
    ['11:00', 320, 1],
  ])('is measured against the same time of day: at %s', (time, total, change) => {
    expect(changeOf(total, earlier, Date.parse(`2026-11-30T${time}:00.000Z`))).toBeCloseTo(change)
  })

  it('is null when nothing had been counted by then', () => {
    expect(changeOf(5, earlier, Date.parse('2026-11-30T09:00:00.000Z'))).toBeNull()
  })
})

it('takes only days that exist from an address', () => {
  expect(isDay('2028-02-29')).toBe(true)
  for (const text of [
    '2026-02-29',
    '2026-13-01',
    '2026-1-1',
    '0000-01-01',
    'yesterday',
    '',
    undefined,
  ])
    expect(isDay(text)).toBe(false)
})

it('finds the same day of another month, or its last', () => {
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonths('2026-01-31', -2)).toBe('2025-11-30')
})

describe('a figure', () => {
  const series = (first: number, values: number[], countedSince: string | null) => ({
    total: values.reduce((sum, value) => sum + value, 0),
    countedSince,
    buckets: values.map((value, i) => ({
      date: `2026-11-${String(first + i).padStart(2, '0')}`,
      value,
    })),
  })
  const before = span('2026-11-01', '2026-11-03')

  it('is compared without the day that is not over', () => {
    const now = series(4, [10, 20, 30, 5], '2026-01-01T00:00:00.000Z')
    const earlier = series(1, [10, 10, 10], '2026-01-01T00:00:00.000Z')
    expect(comparedFigure(now, earlier, { today: '2026-11-07', before })).toEqual({
      value: 65,
      finished: 60,
      before: 30,
    })
  })

  it('is not compared with a period from which there is no data', () => {
    const now = series(4, [297, 1, 0, 0], '2026-11-03T22:00:00.000Z')
    const earlier = series(1, [0, 0, 1], '2026-11-03T22:00:00.000Z')
    expect(hasDataIn(earlier, before)).toBe(false)
    expect(comparedFigure(now, earlier, { today: '2026-12-01', before }).before).toBeNull()
    expect(hasDataIn({ countedSince: null }, before)).toBe(false)
    expect(hasDataIn({ countedSince: '2026-11-01T12:00:00.000Z' }, before)).toBe(true)
  })

  it('that is a mean is one of the days that exist and are over', () => {
    const figure = (values: number[], countedSince: string | null, today: string) =>
      comparedFigure(series(1, values, countedSince), undefined, {
        isMean: true,
        today,
        before: null,
      }).value
    // The first two days are before the beginning, the last one is not over.
    expect(figure([0, 0, 30, 0, 60, 7], '2026-11-03T10:00:00.000Z', '2026-11-06')).toBe(30)
    expect(figure([0, 0, 0, 0, 60, 0], '2026-01-01T00:00:00.000Z', '2026-11-06')).toBe(12)
    // On the first day there is nothing else.
    expect(figure([0, 0, 9], '2026-11-03T10:00:00.000Z', '2026-11-03')).toBe(9)
    expect(figure([0, 0], null, '2026-11-03')).toBe(0)
  })
})
