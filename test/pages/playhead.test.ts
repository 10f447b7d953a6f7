import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { beginningOf } from '../../packages/client/src/match-state.ts'
import { createPlayhead } from '../../src/pages/spectators/playhead.ts'
import type { MatchEvent } from '../../src/pages/spectators/wire.ts'
import { scheduled, snapshotOf, wholeMatch } from './match-events.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const start = () => {
  const shown: [seq: number, at: number][] = []
  const begun = Date.now()
  const playhead = createPlayhead(beginningOf(scheduled()), ({ seq }) =>
    shown.push([seq, Date.now() - begun]),
  )
  return { shown, playhead, seqs: () => shown.map(([seq]) => seq) }
}
const events = wholeMatch()
const event = (seq: number) => events[seq - 1] as MatchEvent

test('simultaneous events are shown one by one, and soon enough', () => {
  const { playhead, shown, seqs } = start()
  for (const each of events) expect(playhead.push(each)).toBe('taken')
  expect(playhead.known).toBe(17)
  expect(seqs()).toEqual([])
  vi.advanceTimersByTime(30_000)
  expect(seqs()).toEqual(events.map(({ seq }) => seq))
  const moves = shown.slice(3, 8).map(([, at]) => at)
  for (const [i, at] of moves.entries())
    if (i > 0) expect(at - (moves[i - 1] as number)).toBeGreaterThan(150)
  expect(shown.at(-1)?.[1]).toBeLessThan(12_000)
})

test('an event after a pause is shown at once', () => {
  const { playhead, shown } = start()
  for (const seq of [1, 2, 3]) playhead.push(event(seq))
  vi.advanceTimersByTime(5_000)
  playhead.push(event(4))
  vi.advanceTimersByTime(0)
  expect(shown.at(-1)).toEqual([4, 5_000])
})

test('a gap is reported and nothing after it is taken; a repeated event is shown once', () => {
  const { playhead, seqs } = start()
  expect(playhead.push(event(1))).toBe('taken')
  expect(playhead.push(event(3))).toBe('gap')
  expect(playhead.known).toBe(1)
  expect(playhead.push(event(2))).toBe('taken')
  expect(playhead.push(event(2))).toBe('taken')
  expect(playhead.push(event(3))).toBe('taken')
  vi.advanceTimersByTime(10_000)
  expect(seqs()).toEqual([1, 2, 3])
})

test('a snapshot replaces all waiting events', () => {
  const { playhead, seqs } = start()
  for (const seq of [1, 2, 3, 4]) playhead.push(event(seq))
  playhead.push(snapshotOf(11, { status: 'IN_PROGRESS', currentRoundNumber: 2 }))
  expect(playhead.known).toBe(11)
  vi.advanceTimersByTime(10_000)
  expect(seqs()).toEqual([11])
  expect(playhead.push(event(12))).toBe('taken')
})

test('nothing is shown after the end', () => {
  const { playhead, seqs } = start()
  playhead.push(event(1))
  playhead.stop()
  vi.advanceTimersByTime(10_000)
  expect(seqs()).toEqual([])
})
