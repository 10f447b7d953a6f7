/** An error that a mutation throws although its union does not have it. */
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { TesseraError } from '../../src/kit/errors.ts'
import { takeUndeclared } from '../undeclared-errors.ts'
import { createWorld } from '../world.ts'

test('is answered at the top level, logged once, and fails the tests', async () => {
  const lines: Record<string, unknown>[] = []
  const sink = new Writable({
    write: (chunk, _, done) => {
      lines.push(JSON.parse(chunk))
      done()
    },
  })
  const world = await createWorld({ log: pino({ level: 'error' }, sink) })
  const { runtime, graphql, keys, post } = world
  const award = () =>
    graphql(`mutation { awardPoints(input: { user: { externalId: "ann" }, eventType: "signup" }) {
      __typename ... on Error { code } } }`)
  const { write } = runtime
  try {
    runtime.write = () => Promise.reject(new TesseraError('TICKET_NOT_FOUND'))
    expect(takeUndeclared()).toEqual([])
    for (let i = 0; i < 2; i++) {
      const { body } = await award()
      expect(body.errors).toMatchObject([{ extensions: { code: 'TICKET_NOT_FOUND' } }])
    }
    const undeclared = { mutation: 'awardPoints', code: 'TICKET_NOT_FOUND' }
    expect(takeUndeclared()).toEqual([undeclared, undeclared])
    const rest = await post('/v1/points/award', keys.secret, { userId: 'ann', eventType: 'signup' })
    expect([rest.status, rest.body.errorCode]).toEqual([404, 'TICKET_NOT_FOUND'])
    expect(takeUndeclared()).toEqual([undeclared])
    expect(lines).toMatchObject([{ mutation: 'awardPoints', errorCode: 'TICKET_NOT_FOUND' }])

    // Errors of the whole request and of the server are those of every mutation.
    runtime.write = () => Promise.reject(new TesseraError('OVERLOADED'))
    expect((await award()).status).toBe(503)
  } finally {
    runtime.write = write
    await world.end()
  }
})
