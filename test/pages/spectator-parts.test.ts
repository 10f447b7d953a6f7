import { h } from 'preact'
import { describe, expect, test, vi } from 'vitest'
import type { Slot } from '../../packages/client/src/match-state.ts'
import { backoffMs } from '../../packages/client/src/retry.ts'
import { games } from '../../src/arena/agent-games/all-games.rules.ts'
import { lookOf, looks } from '../../src/pages/spectators/all-looks.ts'
import { lastDisc } from '../../src/pages/spectators/games/connect-four-look.tsx'
import { transportOf } from '../../src/pages/spectators/live-connection.ts'
import { winningLine } from '../../src/pages/spectators/look.tsx'
import { announcement } from '../../src/pages/spectators/move-words.ts'
import { pauseBefore } from '../../src/pages/spectators/pacing.ts'
import { ago, resultTexts } from '../../src/pages/spectators/page-words.ts'
import { renderHtml } from '../../src/pages/spectators/render-html.ts'
import { eventOf, matchOf } from './match-events.ts'

describe('reconnecting', () => {
  test('after two failures of a WebSocket, event streams are tried, then both in turn', () => {
    expect([0, 1, 2, 3, 4, 5].map((failures) => transportOf(failures, 'socket'))).toEqual([
      'socket',
      'socket',
      'events',
      'socket',
      'events',
      'socket',
    ])
    expect(transportOf(1, 'events')).toBe('events')
  })

  test('waits longer each time, up to a limit, with a random share', () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(1)
    expect([0, 1, 2, 3].map(backoffMs)).toEqual([500, 1_000, 2_000, 4_000])
    expect(backoffMs(50)).toBe(16_000)
    random.mockReturnValue(0)
    expect(backoffMs(0)).toBe(250)
    random.mockRestore()
  })
})

describe('boards', () => {
  test('rows, columns and both diagonals win', () => {
    const line = (cells: string) =>
      winningLine(
        cells.split('/').map((row) => [...row].map((c) => c.trim())),
        3,
      )
    expect(line('111/22 /   ')).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
    ])
    expect(line('21 /21 /2  ')).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
    ])
    expect(line('1 2/ 1 /2 1')).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ])
    expect(line('1 2/ 2 /2 1')).toEqual([
      [0, 2],
      [1, 1],
      [2, 0],
    ])
    expect(line('121/212/212')).toBeNull()
  })

  test('connect four requires four, and the last disc of a column is its highest', () => {
    const board = Array.from({ length: 6 }, () => Array<string>(7).fill(''))
    for (const row of [3, 4, 5]) (board[row] as string[])[2] = '1'
    expect(winningLine(board, 4)).toBeNull()
    expect(lastDisc(board, '3')).toEqual([3, 2])
    ;(board[2] as string[])[2] = '1'
    expect(winningLine(board, 4)).toEqual([
      [2, 2],
      [3, 2],
      [4, 2],
      [5, 2],
    ])
  })

  test('every look is of a game, and no game has two', () => {
    const types = looks.map(({ type }) => type)
    expect(new Set(types).size).toBe(types.length)
    expect(types.length).toBeGreaterThan(2)
    expect(games.map(({ type }) => type)).toEqual(expect.arrayContaining(types))
  })

  test('a game that has no look of its own is a table of its cells', () => {
    const { Board, describeMove } = lookOf('HEX_ON_ICE')
    expect(describeMove('B7')).toBe('plays b7')
    const game = {
      roundNumber: 1,
      board: [['AGENT1', null, 'ICE']],
      turn: [],
      moves: [],
      result: null,
    }
    const html = renderHtml(h(Board, { match: matchOf({ gameType: 'HEX_ON_ICE' }), game }))
    expect(html).toContain('Row 1: Ann, free, ice.')
  })
})

describe('texts', () => {
  test('moves are described as sentences', () => {
    const move = (gameType: string, ...moves: [Slot, string][]) =>
      announcement(
        matchOf({ gameType }),
        eventOf(1, 'ArenaMatchMovesMade', {
          roundNumber: 1,
          board: [],
          turn: [],
          moves: moves.map(([slot, action]) => ({ slot, action, fault: null })),
        }),
      )
    expect(move('TIC_TAC_TOE', ['AGENT1', '5'])).toBe('Ann takes the centre.')
    expect(move('CONNECT_FOUR', ['AGENT2', '7'])).toBe('Ben drops into column 7.')
    expect(move('ROCK_PAPER_SCISSORS', ['AGENT1', 'ROCK'], ['AGENT2', 'PAPER'])).toBe(
      'Ann shows rock, Ben shows paper.',
    )
  })

  test('a result names the winner and the higher score first', () => {
    const match = matchOf({
      status: 'COMPLETED',
      agent1Score: 1,
      agent2Score: 2,
      winnerSlot: 'AGENT2',
    })
    expect(resultTexts(match)).toBe('Ben wins the match 2 to 1.')
    expect(resultTexts({ ...match, winnerSlot: null, agent1Score: 2 })).toBe('A draw, 2 to 2.')
  })

  test('times are relative', () => {
    const at = '2026-01-01T00:00:00.000Z'
    const words = (seconds: number) => ago(at, Date.parse(at) + seconds * 1000)
    expect([-5, 59, 60, 7200, 90_000].map(words)).toEqual([
      'just now',
      'just now',
      '1 min ago',
      '2 hours ago',
      '1 day ago',
    ])
  })

  test('a page that was inactive shows the current state at once', () => {
    expect(pauseBefore('ArenaMatchMovesMade', 1)).toBe(650)
    expect(pauseBefore('ArenaMatchMovesMade', 20)).toBe(200)
    expect(pauseBefore('ArenaMatchMovesMade', 100)).toBe(0)
  })
})

describe('views as HTML', () => {
  test('text and attributes are escaped', () => {
    const evil = '"><script>alert(1)</script>&'
    expect(renderHtml(h('p', { title: evil }, evil))).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;</p>',
    )
  })

  test('components, lists, nothing, numbers, booleans, handlers and void elements', () => {
    const Name = ({ of }: { of: string }) => h('b', null, of)
    expect(
      renderHtml(
        h('div', { onClick: () => {}, class: 'x', hidden: false, 'aria-hidden': false }, [
          h(Name, { of: 'Ann', key: 1 }),
          null,
          false,
          0,
          h('input', { disabled: true, key: 2 }),
        ]),
      ),
    ).toBe('<div class="x" aria-hidden="false"><b>Ann</b>0<input disabled></div>')
  })
})
