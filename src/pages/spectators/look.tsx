/** The look of a game. Each file of `games/` that exports a `look` of this shape is registered automatically. */
import type { BoardRound } from '../../../packages/client/src/match-state.ts'
import { type Agents, sideOf } from './page-words.ts'

export type BoardProps = { match: Agents; game: BoardRound | null }

type Rows = BoardRound['board']

export type Look = {
  /** The type of the game in the API. */
  type: string
  Board(props: BoardProps): preact.JSX.Element
  /** The text of a move, to follow the name of the agent: `takes the centre`. */
  describeMove(action: string): string
  /** The text of what both sides played in a game, for the list of games. Defaults to the number of their moves. */
  describeGame?(agent1Actions: readonly string[], agent2Actions: readonly string[]): string
}

export type Cell = readonly [row: number, column: number]

export const isIn = (cells: readonly Cell[] | null, row: number, column: number): boolean =>
  cells?.some(([r, c]) => r === row && c === column) ?? false

export const emptyBoard = (rows: number, columns: number): (string | null)[][] =>
  Array.from({ length: rows }, () => Array<null>(columns).fill(null))

const ownerOf = (match: Agents, cell: string): string =>
  cell === 'AGENT1' || cell === 'AGENT2' ? sideOf(match, cell).displayName : cell.toLowerCase()

/** A board in words, for screen readers. */
export const describeBoard = (match: Agents, board: Rows): string =>
  board
    .map(
      (cells, row) =>
        `Row ${row + 1}: ${cells.map((cell) => (cell ? ownerOf(match, cell) : 'free')).join(', ')}.`,
    )
    .join(' ')

const directions = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
] as const

/** The cells of a finished line of this length from one end to the other, or null. */
export const winningLine = (board: Rows, length: number): Cell[] | null => {
  for (const [row, cells] of board.entries())
    for (const [column, owner] of cells.entries()) {
      if (!owner) continue
      for (const [down, right] of directions) {
        const line = Array.from({ length }, (_, i): Cell => [row + down * i, column + right * i])
        if (line.every(([r, c]) => board[r]?.[c] === owner)) return line
      }
    }
  return null
}

/** The line through the cells that won. */
export const Strike = ({ line, at }: { line: Cell[]; at: (cell: Cell) => [number, number] }) => {
  const [x1, y1] = at(line[0] as Cell)
  const [x2, y2] = at(line.at(-1) as Cell)
  return <line class="strike" x1={x1} y1={y1} x2={x2} y2={y2} pathLength="1" />
}
