import { describe, expect, test } from 'vitest'
import {
  type ArenaState,
  applyLiveChange,
  featuredOf,
  letGo,
  lingerMs,
} from '../../src/pages/spectators/arena-state.ts'
import { matchOf } from './match-events.ts'

const match = (matchId: string, change = {}) =>
  matchOf({ matchId, status: 'IN_PROGRESS', ...change })
const ended = (matchId: string) => match(matchId, { status: 'COMPLETED', winnerSlot: 'AGENT1' })

const stateOf = (...ids: string[]): ArenaState => ({
  live: ids.map((id) => ({ match: match(id), leavesAt: null })),
  recent: [],
  leaders: [],
  agentCount: 0,
})
const idsOf = ({ live, recent }: ArenaState) => [
  live.map((listed) => listed.match.matchId).join(' '),
  recent.map(({ matchId }) => matchId).join(' '),
]

describe('the list of live matches', () => {
  test('a match that starts is on top, once', () => {
    const change = { kind: 'STARTED' as const, matches: [match('b')] }
    const once = applyLiveChange(stateOf('a'), change, 0)
    expect(idsOf(once)).toEqual(['b a', ''])
    expect(idsOf(applyLiveChange(once, change, 0))).toEqual(['b a', ''])
  })

  test('a score changes in place', () => {
    const change = { kind: 'CHANGED' as const, matches: [match('b', { agent1Score: 1 })] }
    const state = applyLiveChange(stateOf('a', 'b', 'c'), change, 0)
    expect(idsOf(state)).toEqual(['a b c', ''])
    expect(state.live[1]?.match.agent1Score).toBe(1)
  })

  test('a match that ends stays a while, then becomes a recent one', () => {
    const state = applyLiveChange(stateOf('a', 'b'), { kind: 'ENDED', matches: [ended('a')] }, 1000)
    expect(idsOf(state)).toEqual(['a b', ''])
    expect(letGo(state, 1000 + lingerMs - 1)).toBe(state)
    expect(idsOf(letGo(state, 1000 + lingerMs))).toEqual(['b', 'a'])
  })

  test('an unlisted match that ends is recent at once; a cancelled one is not listed', () => {
    const cancelled = match('y', { status: 'CANCELLED' })
    const change = { kind: 'ENDED' as const, matches: [ended('x'), cancelled] }
    expect(idsOf(applyLiveChange(stateOf('a'), change, 0))).toEqual(['a', 'x'])
    const listed = applyLiveChange(stateOf('y'), { kind: 'ENDED', matches: [cancelled] }, 0)
    expect(idsOf(letGo(listed, lingerMs))).toEqual(['', ''])
  })

  test('a snapshot after a broken connection replaces the list, but matches that end stay a while', () => {
    const leaving = applyLiveChange(
      stateOf('a', 'b', 'c'),
      { kind: 'ENDED', matches: [ended('b')] },
      0,
    )
    const state = applyLiveChange(
      leaving,
      { kind: 'SNAPSHOT', matches: [match('d'), match('c')] },
      0,
    )
    expect(idsOf(state)).toEqual(['d c b', ''])
  })

  test('recent matches are limited, newest first', () => {
    let state = stateOf()
    for (let i = 0; i < 20; i++)
      state = applyLiveChange(state, { kind: 'ENDED', matches: [ended(`m${i}`)] }, 0)
    expect(idsOf(state)[1]).toBe('m19 m18 m17 m16 m15 m14')
  })
})

describe('the featured match', () => {
  test('is the one with the most spectators, and stays while it is listed', () => {
    const state = stateOf('a', 'b', 'c')
    const [, second] = state.live
    if (second) second.match.spectatorCount = 5
    expect(featuredOf(state.live, null)).toBe('b')
    expect(featuredOf(state.live, 'c')).toBe('c')
    expect(featuredOf(state.live, 'gone')).toBe('b')
  })

  test('is never a match that is about to leave', () => {
    const state = applyLiveChange(stateOf('a'), { kind: 'ENDED', matches: [ended('a')] }, 0)
    expect(featuredOf(state.live, 'a')).toBe('a')
    expect(featuredOf(state.live, null)).toBeNull()
  })
})
