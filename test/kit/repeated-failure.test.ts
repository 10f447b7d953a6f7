import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFailureLog } from '../../src/kit/observability/log.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

test('a failure that goes on is logged once a minute, with how often it was not', () => {
  const warn = vi.fn()
  const logFailure = createFailureLog({ warn }, 'cannot look')
  const err = new Error('refused')
  logFailure(err)
  vi.advanceTimersByTime(30_000)
  logFailure(err)
  logFailure(err)
  expect(warn.mock.calls).toEqual([[{ err }, 'cannot look']])
  vi.advanceTimersByTime(30_000)
  logFailure(err)
  expect(warn.mock.calls[1]).toEqual([{ err, omitted: 2 }, 'cannot look'])
  logFailure(err)
  expect(warn).toHaveBeenCalledTimes(2)
})
