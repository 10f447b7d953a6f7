/** Where on a board a side has won. */

const lengths: Record<string, number> = { TIC_TAC_TOE: 3, CONNECT_FOUR: 4 }
const directions = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
] as const

export type Cell = readonly [row: number, column: number]

/** The cells of a finished line from one end to the other, or null. */
export const winningLine = (gameType: string, board: string[][]): Cell[] | null => {
  const length = lengths[gameType]
  if (!length) return null
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

/** The cell that the last move filled: the one that the board has and the moves before it had not. */
export const lastCell = (
  gameType: string,
  board: string[][],
  action: string | null | undefined,
): Cell | null => {
  if (!action) return null
  const number = Number(action) - 1
  if (gameType === 'TIC_TAC_TOE') return [Math.floor(number / 3), number % 3]
  if (gameType !== 'CONNECT_FOUR') return null
  const row = board.findIndex((cells) => cells[number])
  return row < 0 ? null : [row, number]
}
