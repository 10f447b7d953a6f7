import { type Board, type Game, otherSlot, ownerOfLine, rowsOf } from './agent-game.rules.ts'

const lines = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
]

/** The number of lines through each cell: four in the center, three in a corner, two at an edge. */
const worth = Array.from(
  { length: 9 },
  (_, cell) => lines.filter((line) => line.includes(cell)).length,
)

/** Three in a row on nine cells, numbered 1 to 9 from the upper left. */
export const game: Game<Board> = {
  type: 'TIC_TAC_TOE',
  title: 'Tic-tac-toe',
  rules:
    'Cells are numbered 1 to 9: 1 2 3 in the first row, 4 5 6 in the second, 7 8 9 in the third. In turns, each player takes a free cell. Three of your own in a row, column or diagonal win; a full board is a draw.',
  isListed: true,
  searchDepth: 9,
  start: (first) => ({ cells: Array(9).fill(null), next: first }),
  turn: (state) => (game.result(state) ? [] : [state.next]),
  legalMoves: (state, slot) =>
    state.next !== slot || game.result(state)
      ? []
      : state.cells.flatMap((cell, i) => (cell === null ? [String(i + 1)] : [])),
  apply: ({ cells, next }, moves) => ({
    cells: cells.with(Number(moves[next]) - 1, next),
    next: otherSlot(next),
  }),
  result: (state) => {
    const winnerSlot = ownerOfLine(state, lines)
    return winnerSlot || state.cells.every((cell) => cell !== null) ? { winnerSlot } : null
  },
  render: (state) => rowsOf(state, 3),
  estimate: ({ cells }, slot) =>
    cells.reduce<number>(
      (sum, cell, i) => sum + (cell ? (cell === slot ? 1 : -1) * (worth[i] as number) : 0),
      0,
    ) / 100,
}
