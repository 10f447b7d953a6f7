import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  daysUntilFull,
  type Growth,
  growthFindings,
  readSizes,
  sizeText,
} from '../../src/cli/growth.ts'
import { createWorld, type World } from '../world.ts'

const giga = 1_000_000_000
const growth = (what: string, more: Partial<Growth> = {}): Growth => ({
  what,
  rowsPerDay: 1_000_000,
  bytesPerRow: 1_000,
  bytesPerDay: giga,
  bytes: 5 * giga,
  kept: undefined,
  ...more,
})
const events = (days: number, bytes = 5 * giga) =>
  growth('events', { bytes, kept: { setting: 'RETENTION_EVENT_DAYS', days } })

describe('the days until a disk is full', () => {
  const days = (growths: Growth[], free: number) =>
    daysUntilFull({ databaseBytes: 10 * giga, growths }, free)

  test('follow from what is kept for ever, and from what is deleted until it is level', () => {
    expect(days([growth('ledger')], 100 * giga)).toBe(100)
    // After 25 days, events no longer grow, and have taken 25 GB.
    expect(days([growth('ledger'), events(30)], 100 * giga)).toBe(75)
    expect(days([growth('ledger'), events(30)], 20 * giga)).toBe(10)
    expect(days([growth('ledger'), events(30, 40 * giga)], 100 * giga)).toBe(100)
    expect(days([growth('ledger'), events(0)], 100 * giga)).toBe(50)
  })

  test('have no end if everything is deleted after its days, and are none without room', () => {
    expect(days([events(30)], 100 * giga)).toBeNull()
    expect(days([], 1)).toBeNull()
    expect(days([growth('ledger')], 0)).toBe(0)
    expect(days([growth('ledger')], -1)).toBe(0)
  })
})

describe('what is said of it', () => {
  test('is the growth, what is kept of it by which setting, and when the disk is full', () => {
    const few = growth('users', { rowsPerDay: 5, bytesPerDay: 5_000 })
    const matches = growth('events of matches', {
      kept: { setting: 'RETENTION_MATCH_EVENT_DAYS', days: 0 },
    })
    const ledger = growth('ledger entries')
    const sizes = {
      databaseBytes: 10 * giga,
      growths: [few, ledger, events(30), matches],
    }
    expect(growthFindings(sizes, 50 * giga)).toEqual([
      {
        mark: '✓',
        text: 'The database has 10 GB. Rows of the last week: 3.0 GB a day, of which 2.0 GB a day (60 GB a month) are not deleted',
      },
      {
        mark: '✓',
        text: '  1.0 GB a day: 1,000,000 ledger entries of 1000 bytes, kept for ever',
      },
      {
        mark: '✓',
        text: '  1.0 GB a day: 1,000,000 events of 1000 bytes, 30 days of it are 30 GB (RETENTION_EVENT_DAYS)',
      },
      {
        mark: '✓',
        text: '  1.0 GB a day: 1,000,000 events of matches of 1000 bytes, kept for ever; RETENTION_MATCH_EVENT_DAYS would delete old ones',
      },
      { mark: '!', text: '50 GB of free space are full in 16 days at this rate' },
    ])
    expect(growthFindings(sizes, undefined).at(-1)).toMatchObject({ mark: '!' })
    expect(growthFindings({ databaseBytes: 12_345_678, growths: [few] }, 1)).toEqual([
      { mark: '✓', text: 'The database has 12 MB and hardly grows' },
    ])
  })

  test('has sizes of three digits at most', () => {
    const texts = [0, 999, 1_000, 12_345, 9_960_000, 2.5 * giga, 1_234 * giga].map(sizeText)
    expect(texts).toEqual(['0 B', '999 B', '1.0 KB', '12 KB', '10.0 MB', '2.5 GB', '1.2 TB'])
  })
})

describe('the sizes of a database', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.end())

  test('are read with the rows of the last week', async () => {
    await world.givePoints('grown', 5)
    const { database, runtime } = world.server
    await database.pool.query({
      text: `INSERT INTO audit_entry (id, partner_id, at, actor_kind, address, request_id, action, changes)
        SELECT gen_random_uuid(), $1::uuid, now() - n * interval '1 day', 'SYSTEM', '', '', 'x', '[]'
        FROM generate_series(1, 10) n`,
      values: [world.partner.partnerId],
    })
    const { databaseBytes, growths } = await readSizes(database, runtime.config)
    expect(databaseBytes).toBeGreaterThan(1_000_000)
    const perDay = Object.fromEntries(growths.map(({ what, rowsPerDay }) => [what, rowsPerDay]))
    expect(perDay).toMatchObject({ users: 1, 'ledger entries': 5, 'lines of timelines': 5 })
    expect(perDay.events).toBeGreaterThanOrEqual(5)
    expect(perDay['entries of the audit log']).toBeCloseTo(1, 1)
    for (const { bytes, bytesPerRow } of growths) {
      expect(bytes).toBeGreaterThan(0)
      expect(bytesPerRow).toBeGreaterThan(100)
    }
  })
})
