/** A change of rights ends an open stream, because its callers are checked again while it is open. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Callers, KeyCaller, MemberCaller } from '../../src/kit/access/context.ts'
import { type Authenticate, watchCallers } from '../../src/kit/access/credentials.ts'
import { TesseraError } from '../../src/kit/errors.ts'

const tenant = { partnerId: 'p', environment: 'TEST' } as const
const key: KeyCaller = {
  ...tenant,
  kind: 'secret',
  keyId: 'k',
  applicationId: 'a',
  publicProfiles: 'FULL',
  userTokens: 'OPTIONAL',
  rights: ['READ', 'POINTS_AWARD'],
}
const member: MemberCaller = {
  ...tenant,
  kind: 'member',
  memberId: 'm',
  signInId: 's',
  isOperator: true,
  rights: ['READ', 'EXPORT'],
}
const sent = {
  fields: { 'x-api-secret': 'sk', authorization: 'Bearer token', 'x-environment': 'TEST' },
  address: '192.0.2.1',
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Watches a stream whose callers later change to `later`. Returns the reported codes. */
const watch = (callers: Callers, later: Partial<Authenticate>) => {
  const reports: string[] = []
  const askKey = vi.fn(later.key ?? (async () => key))
  const askMember = vi.fn(later.member ?? (async () => member))
  const authenticate = { key: askKey, member: askMember, session: askMember }
  const stop = watchCallers(callers, sent, authenticate, ({ code }) => reports.push(code))
  return { stop, reports, askKey, askMember }
}

const seconds = (n: number) => vi.advanceTimersByTimeAsync(n * 1_000)

/** Watches the stream of a signed-in caller with a secret key for eleven seconds. Returns the reported codes. */
const watchLong = async (later: Partial<Authenticate>) => {
  const { stop, reports } = watch({ secret: key, member }, later)
  await seconds(1.1)
  const afterOneCheck = [...reports]
  await seconds(10)
  stop()
  return { afterOneCheck, reports }
}

test.each<[string, Partial<Authenticate>, string]>([
  ['a right of the key', { key: async () => ({ ...key, rights: ['READ'] }) }, 'RIGHT_REQUIRED'],
  [
    'a right of the member in exchange for another',
    { member: async () => ({ ...member, rights: ['READ', 'MEMBERS_READ'] }) },
    'RIGHT_REQUIRED',
  ],
  [
    'the power of an operator and no right',
    { member: async () => ({ ...member, isOperator: false }) },
    'ADMIN_REQUIRED',
  ],
  [
    'the key',
    { key: () => Promise.reject(new TesseraError('API_KEY_REVOKED')) },
    'API_KEY_REVOKED',
  ],
  [
    'the sign-in',
    { member: () => Promise.reject(new TesseraError('INVALID_BEARER_TOKEN')) },
    'INVALID_BEARER_TOKEN',
  ],
])('the loss of %s is reported at the next check, once', async (_, later, code) => {
  expect(await watchLong(later)).toEqual({ afterOneCheck: [code], reports: [code] })
})

test.each<[string, Partial<Authenticate>]>([
  ['has the same rights', {}],
  ['has one right more', { key: async () => ({ ...key, rights: [...key.rights, 'EXPORT'] }) }],
  [
    'cannot be looked up, because the database is unavailable',
    { key: () => Promise.reject(new Error('connection refused')) },
  ],
])('nothing is reported of a caller who %s', async (_, later) => {
  expect(await watchLong(later)).toEqual({ afterOneCheck: [], reports: [] })
})

test('nothing is reported for a member who was not an operator', async () => {
  const { reports } = watch(
    { member: { ...member, isOperator: false } },
    { member: async () => ({ ...member, isOperator: false }) },
  )
  await seconds(5)
  expect(reports).toEqual([])
})

test('only good credentials are checked, once a second, until watching stops', async () => {
  const refused = new TesseraError('INVALID_BEARER_TOKEN')
  const { stop, askKey, askMember } = watch({ secret: key, member: refused }, {})
  await seconds(3.5)
  stop()
  await seconds(5)
  expect(askKey).toHaveBeenCalledTimes(3)
  expect(askMember).not.toHaveBeenCalled()
})

test('a slow check is waited for, and reports nothing after watching stopped', async () => {
  let refuse = () => {}
  const answer = new Promise<KeyCaller>((_, reject) => {
    refuse = () => reject(new TesseraError('API_KEY_REVOKED'))
  })
  const { stop, reports, askKey } = watch({ secret: key }, { key: () => answer })
  await seconds(10)
  expect(askKey).toHaveBeenCalledTimes(1)
  stop()
  refuse()
  await seconds(10)
  expect(reports).toEqual([])
})
