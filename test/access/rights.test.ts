/**
 * The table of rights against the running server: every query, mutation and subscription, with every role and with keys
 * that have all rights but one. Who may do what is in docs/access.md; here the table and the server must agree.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey } from '../../src/accounts/api-key.ts'
import { MemberRole } from '../../src/generated/prisma/enums.ts'
import type { Access } from '../../src/kit/access/context.ts'
import { type Right, rights, rightsOfKind, rightsOfRole } from '../../src/kit/access/rights.ts'
import { createWorld, type World } from '../world.ts'
import { type Call, callsOf } from './calls.ts'
import { makeThings } from './things.ts'
import { type Headers, tryCall } from './tries.ts'

/** The weakest first. */
const ranks: Access[] = ['anyone', 'public', 'secret', 'member']

const all = Object.keys(rights) as Right[]

let world: World
/** Everything that requires a right. */
let calls: Call[]
beforeAll(async () => {
  world = await createWorld()
  await world.signInAs('OPERATOR')
  const { ids, values } = await makeThings(world, await world.signInAs('OWNER'))
  calls = callsOf(values, ids).filter(({ needed: [, right] }) => right)
}, 300_000)
afterAll(() => world.end())

const rightOf = ({ needed: [, right] }: Call) => right as Right

/** Whether the server refuses a call because its right is missing. */
const isRefused = async (call: Call, headers: Headers): Promise<boolean> => {
  const { code, text } = await tryCall(world, call, headers)
  if (code !== 'RIGHT_REQUIRED') return false
  // A payload refuses what only an owner may do; its field has admitted the caller.
  if (text.includes('OWNERS_WRITE')) return false
  expect(text, call.title).toContain(`This requires the right ${rightOf(call)}`)
  return true
}

/** Whether a call reads this credential. A route reads only the header that it documents. */
const takes = (call: Call, credential: Access) =>
  call.face === 'GraphQL'
    ? ranks.indexOf(call.needed[0]) <= ranks.indexOf(credential)
    : call.route.key === credential

const bearer = async (role: MemberRole): Promise<Headers> => ({
  authorization: `Bearer ${await world.signInAs(role)}`,
  'x-environment': 'LIVE',
})

test('every field that requires a credential requires a right, except viewer', () => {
  const free = callsOf({}, {}).filter(
    ({ needed: [access, right] }) => !right && !['anyone', 'operator'].includes(access),
  )
  expect(free.filter(({ face }) => face === 'GraphQL').map(({ title }) => title)).toEqual([
    'viewer',
  ])
})

test('every right is required by something', () => {
  const used = new Set(calls.map(rightOf))
  // OWNERS_WRITE depends on the member who is changed.
  expect(all.filter((right) => !used.has(right))).toEqual(['OWNERS_WRITE'])
})

describe.each(Object.values(MemberRole))('the role %s', (role) => {
  test('may do what the table says, and nothing else', async () => {
    const wrong: string[] = []
    for (const call of calls.filter((call) => takes(call, 'member'))) {
      // A call may have ended the sign-in.
      const headers = call.field === 'signOut' ? await bearer(role) : await ofRole(role)
      const isMeant = !rightsOfRole[role].includes(rightOf(call))
      if ((await isRefused(call, headers)) !== isMeant) wrong.push(call.title)
    }
    expect(wrong).toEqual([])
  }, 300_000)
})

const known = new Map<MemberRole, Promise<Headers>>()
const ofRole = (role: MemberRole) => {
  const headers = known.get(role) ?? bearer(role)
  known.set(role, headers)
  return headers
}

describe.each(['PUBLIC', 'SECRET'] as const)('a %s key', (kind) => {
  const header = kind === 'PUBLIC' ? 'x-api-key' : 'x-api-secret'
  const credential = kind === 'PUBLIC' ? 'public' : 'secret'

  const keyOf = async (scopes?: Right[]): Promise<Headers> => {
    const { partnerId, applicationId } = world.partner
    const tenant = { partnerId, applicationId, environment: 'LIVE' } as const
    const { key } = await createApiKey(world.runtime, {
      ...tenant,
      kind,
      ...(scopes && { scopes }),
    })
    return { [header]: key }
  }

  test('without one of the rights of its kind is refused exactly the fields that require that right', async () => {
    const wrong: string[] = []
    const tried = calls.filter((call) => takes(call, credential))
    for (const missing of rightsOfKind[kind]) {
      const headers = await keyOf(rightsOfKind[kind].filter((right) => right !== missing))
      for (const call of tried)
        if ((await isRefused(call, headers)) !== (rightOf(call) === missing))
          wrong.push(`${missing}: ${call.title}`)
    }
    expect(wrong).toEqual([])
  }, 300_000)

  test('with all rights of its kind is refused no field that a key may use', async () => {
    const headers = await keyOf()
    const wrong: string[] = []
    for (const call of calls.filter((call) => takes(call, credential)))
      if (await isRefused(call, headers)) wrong.push(call.title)
    expect(wrong).toEqual([])
  })
})
