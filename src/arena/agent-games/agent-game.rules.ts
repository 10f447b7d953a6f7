/** A game of two sides. A new game is one file of this folder that exports a `game` of this shape. */

/** The first and the second agent of a match. */
export type Slot = 1 | 2

export const otherSlot = (slot: Slot): Slot => (slot === 1 ? 2 : 1)

/** The moves of one turn: of one side, or of both if they move at the same time. */
export type Moves = Partial<Record<Slot, string>>

/** A state is plain data that follows from the first mover and the moves alone. */
export type Game<S = unknown> = {
  /** Name in the API. */
  type: string
  /** Its name as people read it: in the console, on pages, in widgets, and for language models. */
  title: string
  /** The rules and the notation of moves, for language models. */
  rules: string
  /** Whether REST lists its matches by default. One match of a listed game is always live. */
  isListed: boolean
  /** How many moves ahead a search can look in reasonable time; 0 for simultaneous games, which are not searched. */
  searchDepth: number
  start(first: Slot): S
  /** Who moves now: one side, both at the same time, or nobody when the game is over. */
  turn(state: S): Slot[]
  /** The moves that a side may make now. */
  legalMoves(state: S, slot: Slot): string[]
  /** The state after legal moves of exactly the sides whose turn it is. */
  apply(state: S, moves: Moves): S
  /** null while the game continues; then the winner, or null for a draw. */
  result(state: S): { winnerSlot: Slot | null } | null
  /** What cells can hold besides `1` and `2` for their owners: words in capitals, with what they mean. */
  cells?: Readonly<Record<string, string>>
  /** The board as rows of cells. A cell is `1` or `2`, a word of `cells`, or an empty string if it is free. */
  render(state: S): string[][]
  /** The heuristic value of an undecided state for a side, from −1 to 1. */
  estimate(state: S, slot: Slot): number
}

/** A board whose cells are filled in alternate turns. */
export type Board = { cells: (Slot | null)[]; next: Slot }

/** The owner of a line: the side that has all of its cells. */
export const ownerOfLine = (
  { cells }: Board,
  lines: readonly (readonly number[])[],
): Slot | null => {
  for (const line of lines) {
    const owner = cells[line[0] as number]
    if (owner && line.every((cell) => cells[cell] === owner)) return owner
  }
  return null
}

/** The cells of a board as rows. */
export const rowsOf = ({ cells }: Board, columns: number): string[][] =>
  Array.from({ length: cells.length / columns }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns).map((cell) => (cell ? String(cell) : '')),
  )
