import { expect, test } from 'vitest'
import { isOwn, knowsUsers, orOwn, whereOwn } from '../../src/core/graphql/owner.ts'

const live = { partnerId: 'ours', environment: 'LIVE' } as const
const test_ = { partnerId: 'ours', environment: 'TEST' } as const
const theirs = { partnerId: 'theirs', environment: 'LIVE' } as const

/** Which of three things the caller owns, and of which they may know the users. */
const seenBy = (callers: object) => {
  const caller = { callers } as never
  return {
    own: [live, test_, theirs].map((thing) => isOwn(caller, thing)),
    users: [live, test_, theirs].map((thing) => knowsUsers(caller, thing)),
    where: whereOwn(caller).OR,
  }
}

test('a secret key owns things of its environment, a member those of the partner, an operator all', () => {
  expect(seenBy({})).toEqual({
    own: [false, false, false],
    users: [false, false, false],
    where: [],
  })
  expect(seenBy({ public: live })).toMatchObject({ own: [false, false, false], where: [] })
  expect(seenBy({ secret: { ...live, keyId: 'k', rights: ['READ'] } })).toEqual({
    own: [true, false, false],
    users: [true, false, false],
    where: [live],
  })
  expect(seenBy({ member: { ...test_, isOperator: false, rights: ['READ'] } })).toEqual({
    own: [true, true, false],
    users: [true, true, false],
    where: [{ partnerId: 'ours' }],
  })
  expect(seenBy({ member: { ...live, isOperator: true, rights: ['READ'] } })).toEqual({
    own: [true, true, true],
    users: [true, true, false],
    where: undefined,
  })
})

test("public objects are added to the caller's own", () => {
  const caller = { callers: { secret: { ...live, rights: ['READ'] } } } as never
  expect(orOwn(caller, { isPublic: true })).toEqual({ OR: [{ isPublic: true }, live] })
})
