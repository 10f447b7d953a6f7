/** How the answer of a mutation reaches other answers in `@tessera/react`. */
import { expect, test } from 'vitest'
import { objectsIn, withObjects } from '../../packages/react/src/changed.ts'

const user = { __typename: 'User', id: 'u1', balance: 100, name: null }

const changedBy = (answer: unknown, value: unknown) => withObjects(value, objectsIn(answer))

test('fields of the same object get their new values, wherever it is', () => {
  const answer = { awardPoints: { user: { id: 'u1', balance: 150, name: 'Alice', rank: 3 } } }
  expect(changedBy(answer, { user, users: { nodes: [{ id: 'u2', balance: 1 }, user] } })).toEqual({
    user: { ...user, balance: 150, name: 'Alice' },
    users: {
      nodes: [
        { id: 'u2', balance: 1 },
        { ...user, balance: 150, name: 'Alice' },
      ],
    },
  })
})

test('lists and objects in it stay, and objects inside of them change', () => {
  const play = { id: 'p1', label: 'old' }
  const value = { user: { ...user, plays: { nodes: [play] }, journey: { stage: 'NEW' } } }
  const answer = {
    user: { id: 'u1', plays: { nodes: [] }, journey: null },
    play: { id: 'p1', label: 'new' },
  }
  expect(changedBy(answer, value)).toEqual({
    user: { ...value.user, plays: { nodes: [{ id: 'p1', label: 'new' }] } },
  })
})

test('what has not changed is the same object, so that nothing is rendered for it', () => {
  const value = { user, games: [{ id: 'g1', price: 50 }] }
  expect(changedBy({ user: { id: 'u1', balance: 100 } }, value)).toBe(value)
  expect(changedBy(null, value)).toBe(value)
  const changed = changedBy({ user: { id: 'u1', balance: 1 } }, value) as typeof value
  expect(changed).not.toBe(value)
  expect(changed.games).toBe(value.games)
})
