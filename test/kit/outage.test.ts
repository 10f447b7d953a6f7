import { expect, test } from 'vitest'
import {
  asSingleCall,
  callOutcomeOf,
  codeOf,
  noteWrite,
  Outage,
  outcomeOfState,
} from '../../src/kit/database/outage.ts'

const refused = () => new Outage('nothing done', 'refused')
const outcomeOfCall = (run: () => Promise<unknown>) =>
  asSingleCall(run).then(
    () => 'done',
    (error) => callOutcomeOf(error),
  )

test('a call that wrote nothing has done nothing', async () => {
  const call = outcomeOfCall(async () => {
    throw refused()
  })
  expect(await call).toBe('nothing done')
})

test('the outcome of a call is unknown if a part of it was written, at any depth', async () => {
  const part = () =>
    asSingleCall(async () => {
      await Promise.resolve()
      noteWrite()
    })
  const call = outcomeOfCall(async () => {
    await part()
    throw refused()
  })
  expect(await call).toBe('unknown')
})

test('concurrent writes of other calls do not matter', async () => {
  const turn = Promise.withResolvers<void>()
  const mine = outcomeOfCall(async () => {
    await turn.promise
    throw refused()
  })
  await asSingleCall(async () => noteWrite())
  turn.resolve()
  expect(await mine).toBe('nothing done')
})

test.each([
  ['57014', 'nothing done', 'nothing done'],
  ['55P03', 'nothing done', 'nothing done'],
  ['25006', 'nothing done', 'nothing done'],
  ['53300', 'nothing done', 'nothing done'],
  ['57P03', 'nothing done', 'nothing done'],
  ['57P01', 'unknown', 'nothing done'],
  ['08006', 'unknown', 'nothing done'],
  ['23505', undefined, undefined],
  ['42P01', undefined, undefined],
])('%s is %s for what may commit, %s for the rest', (state, commits, others) => {
  expect([outcomeOfState(state, true), outcomeOfState(state, false)]).toEqual([commits, others])
})

test('an outage has the code of its cause, which Prisma must not mistake for its own', () => {
  const outage = new Outage('nothing done', 'no', { code: 'ECONNREFUSED' })
  expect([codeOf(outage), 'code' in outage]).toEqual(['ECONNREFUSED', false])
})
