import { expect, test } from 'vitest'
import {
  endReasonOf,
  endReasons,
  endReasonTexts,
  undecidedText,
} from '../../../src/arena/matches/end-reason.rules.ts'
import { endReason } from '../../../src/rest/dashboard/arena.ts'

test('REST has the text of the row for each reason', () => {
  const texts = { ...endReasonTexts, UNDECIDED: undecidedText(9) }
  expect(Object.keys(texts).sort()).toEqual(Object.keys(endReasons).sort())
  for (const [reason, text] of Object.entries(texts)) {
    expect(endReasonOf(text)).toBe(reason)
    expect(endReason.of?.(reason, { object: { bestOf: 3 }, values: {} })).toBe(text)
  }
})

test('a match without a reason, or with an unknown one, has none', () => {
  expect(endReasonOf(null)).toBeNull()
  expect(endReasonOf('It rains')).toBeNull()
  expect(endReason.of?.(null, { object: { bestOf: 3 }, values: {} })).toBeNull()
})
