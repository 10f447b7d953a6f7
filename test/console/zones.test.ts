import { expect, it } from 'vitest'
import {
  clockTime,
  dayIn,
  momentIn,
  placeOf,
  showTheSame,
  startOfDay,
} from '../../console/zones.ts'

const at = (text: string) => Date.parse(text)

it.each([
  ['Europe/Prague', '2026-07-01 10:00:00', '2026-07-01T08:00:00Z'],
  ['Europe/Prague', '2026-12-01 10:00:00', '2026-12-01T09:00:00Z'],
  ['Asia/Kolkata', '2026-12-01 10:00:00', '2026-12-01T04:30:00Z'],
  ['Australia/Eucla', '2026-12-01 10:00:00', '2026-12-01T01:15:00Z'],
  ['UTC', '2026-12-01 10:00:00', '2026-12-01T10:00:00Z'],
  // Clocks are put forward: 02:30 does not exist, and is read as 03:30.
  ['Europe/Prague', '2026-03-29 02:30:00', '2026-03-29T01:30:00Z'],
  // Clocks are put back: 02:30 comes twice, and is read as the first one.
  ['Europe/Prague', '2026-10-25 02:30:00', '2026-10-25T00:30:00Z'],
])('reads %s %s as %s', (zone, time, moment) => {
  expect(new Date(momentIn(zone, time))).toEqual(new Date(moment))
})

it('shows what it reads, in every zone and at every change of clocks of a year', () => {
  for (const zone of ['Europe/Prague', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia'])
    for (let hour = 0; hour < 366 * 24; hour += 5) {
      const moment = at('2026-01-01T00:15:00Z') + hour * 3_600_000
      const time = clockTime(zone, moment)
      const read = momentIn(zone, time)
      expect(clockTime(zone, read)).toBe(time)
      // The same moment, or the one before clocks were put back.
      expect(
        moment - read === 0 || moment - read === 3_600_000 || moment - read === 1_800_000,
      ).toBe(true)
    }
})

it.each([
  ['Europe/Prague', '2026-03-29', '2026-03-28T23:00:00Z', 23],
  ['Atlantic/Azores', '2024-10-27', '2024-10-27T00:00:00Z', 25],
  ['America/Havana', '2024-11-03', '2024-11-03T04:00:00Z', 25],
  ['America/Havana', '2024-03-10', '2024-03-10T05:00:00Z', 23],
  ['Africa/Cairo', '2024-10-31', '2024-10-30T21:00:00Z', 25],
  ['Australia/Lord_Howe', '2024-04-07', '2024-04-06T13:00:00Z', 24.5],
])('starts %s %s at %s, as the database does, and it has %s hours', (zone, day, start, hours) => {
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
  expect(new Date(startOfDay(zone, day))).toEqual(new Date(start))
  expect((startOfDay(zone, next) - startOfDay(zone, day)) / 3_600_000).toBe(hours)
  expect(dayIn(zone, startOfDay(zone, day))).toBe(day)
  expect(dayIn(zone, startOfDay(zone, day) - 1)).not.toBe(day)
})

it('knows where clocks show the same', () => {
  const [summer, winter] = [at('2026-07-01T00:00:00Z'), at('2026-12-01T00:00:00Z')]
  expect(showTheSame('Europe/London', 'UTC', winter)).toBe(true)
  expect(showTheSame('Europe/London', 'UTC', summer)).toBe(false)
})

it('names the place of a zone', () => {
  expect(placeOf('Europe/Prague')).toBe('Prague')
  expect(placeOf('America/Argentina/Buenos_Aires')).toBe('Buenos Aires')
  expect(placeOf('UTC')).toBe('UTC')
})
