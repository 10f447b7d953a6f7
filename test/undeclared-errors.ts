/** Fails a test during which a mutation threw an error that it does not declare. */
import { channel } from 'node:diagnostics_channel'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'

/** Also receives what servers in other processes have logged. */
const undeclared = channel('tessera:undeclared-error')

const thrown: unknown[] = []
const note = (error: unknown) => void thrown.push(error)

/** The errors since the last call. They fail no test. */
export const takeUndeclared = (): unknown[] => thrown.splice(0)

const check = () => expect(takeUndeclared(), 'errors that a mutation does not declare').toEqual([])

beforeAll(() => undeclared.subscribe(note))
afterEach(check)
afterAll(() => {
  undeclared.unsubscribe(note)
  check()
})
