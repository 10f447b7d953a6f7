import { type Board, type Game, otherSlot, ownerOfLine, rowsOf } from './agent-game.rules.ts'

const columns = 7
const rows = 6

/** Every line of four cells. */
const lines = [...Array(rows * columns).keys()].flatMap((start) => {
  const [row, column] = [Math.floor(start / columns), start % columns]
  return [
    [0, 1],
    [1, 0],
    [1, 1],
    [1, -1],
  ].flatMap(([down = 0, right = 0]) => {
    const cells = [0, 1, 2, 3].map((i) => [row + down * i, column + right * i] as const)
    const isInside = cells.every(([r, c]) => r < rows && c >= 0 && c < columns)
    return isInside ? [cells.map(([r, c]) => r * columns + c)] : []
  })
})

/** The lowest free cell of a column, or undefined when it is full. */
const landing = ({ cells }: Board, column: number): number | undefined => {
  for (let row = rows - 1; row >= 0; row--)
    if (cells[row * columns + column] === null) return row * columns + column
  return undefined
}

/** Four in a row on seven columns, numbered 1 to 7; a piece falls to the lowest free cell. */
export const game: Game<Board> = {
  type: 'CONNECT_FOUR',
  title: 'Connect four',
  rules:
    'The board has 7 columns, numbered 1 to 7 from the left, of 6 cells. In turns, each player drops a piece into a column that is not full; it falls to the lowest free cell. Four of your own in a row, column or diagonal win; a full board is a draw.',
  isListed: false,
  searchDepth: 4,
  start: (first) => ({ cells: Array(rows * columns).fill(null), next: first }),
  turn: (state) => (game.result(state) ? [] : [state.next]),
  legalMoves: (state, slot) =>
    state.next !== slot || game.result(state)
      ? []
      : [...Array(columns).keys()]
          .filter((column) => state.cells[column] === null)
          .map((column) => String(column + 1)),
  apply: (state, moves) => ({
    cells: state.cells.with(landing(state, Number(moves[state.next]) - 1) as number, state.next),
    next: otherSlot(state.next),
  }),
  result: (state) => {
    const winnerSlot = ownerOfLine(state, lines)
    return winnerSlot || state.cells.every((cell) => cell !== null) ? { winnerSlot } : null
  },
  render: (state) => rowsOf(state, columns),
  estimate: ({ cells }, slot) => {
    let sum = 0
    for (const line of lines) {
      let [mine, theirs] = [0, 0]
      for (const cell of line) {
        if (cells[cell] === slot) mine++
        else if (cells[cell] !== null) theirs++
      }
      if (theirs === 0) sum += mine ** 2
      else if (mine === 0) sum -= theirs ** 2
    }
    return Math.max(-0.99, Math.min(0.99, sum / 400))
  },
}
