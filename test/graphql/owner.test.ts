import { expect, test } from 'vitest'
import type { Right } from '../../src/kit/access/rights.ts'
import { isOwn, knowsUsers, orOwn, whereOwn } from '../../src/kit/schema/owner.ts'

const live = { partnerId: 'ours', environment: 'LIVE' } as const
const test_ = { partnerId: 'ours', environment: 'TEST' } as const
const theirs = { partnerId: 'theirs', environment: 'LIVE' } as const

/** Which of three things the caller owns, and of which they may know the users. */
const seenBy = (callers: object, right: Right = 'READ') => {
  const caller = { callers } as never
  return {
    own: [live, test_, theirs].map((thing) => isOwn(caller, thing, right)),
    users: [live, test_, theirs].map((thing) => knowsUsers(caller, thing)),
    where: whereOwn(caller, right).OR,
  }
}

/** A condition that matches nothing, also beside others: Prisma ignores an empty OR inside of AND. */
const none = [{ id: { in: [] } }]

test('a key and a member own things of their environment, an operator those of all partners', () => {
  expect(seenBy({})).toEqual({
    own: [false, false, false],
    users: [false, false, false],
    where: none,
  })
  expect(seenBy({ public: live })).toMatchObject({ own: [false, false, false], where: none })
  expect(seenBy({ secret: { ...live, keyId: 'k', rights: ['READ'] } })).toEqual({
    own: [true, false, false],
    users: [true, false, false],
    where: [live],
  })
  expect(seenBy({ member: { ...test_, isOperator: false, rights: ['READ'] } })).toEqual({
    own: [false, true, false],
    users: [false, true, false],
    where: [test_],
  })
  expect(seenBy({ member: { ...live, isOperator: true, rights: ['READ'] } })).toEqual({
    own: [true, false, true],
    users: [true, false, false],
    where: [{ environment: 'LIVE' }],
  })
})

test('of the arena, which has one environment, a member owns the things of the partner, an operator all', () => {
  const rights = ['ARENA_READ']
  expect(seenBy({ member: { ...test_, isOperator: false, rights } }, 'ARENA_READ')).toMatchObject({
    own: [true, true, false],
    where: [{ partnerId: 'ours' }],
  })
  expect(seenBy({ member: { ...test_, isOperator: true, rights } }, 'ARENA_READ')).toMatchObject({
    own: [true, true, true],
    where: undefined,
  })
})

test("public objects are added to the caller's own", () => {
  const caller = { callers: { secret: { ...live, rights: ['READ'] } } } as never
  expect(orOwn(caller, { isPublic: true })).toEqual({ OR: [{ isPublic: true }, live] })
})
