import {
  type BoardProps,
  type Cell,
  describeBoard,
  emptyBoard,
  isIn,
  type Look,
  Strike,
  winningLine,
} from '../look.tsx'
import { sideClass } from '../page-words.ts'

const cells = [
  'the top left',
  'the top centre',
  'the top right',
  'the middle left',
  'the centre',
  'the middle right',
  'the bottom left',
  'the bottom centre',
  'the bottom right',
]

/** The cell that a move filled: 1 to 9, row by row. */
const cellOf = (action: string | null | undefined): Cell | null =>
  action ? [Math.floor((Number(action) - 1) / 3), (Number(action) - 1) % 3] : null

const Cross = ({ x, y }: { x: number; y: number }) => (
  <g class="mark side-1">
    <path pathLength="1" d={`M${x - 22} ${y - 22}l44 44`} />
    <path pathLength="1" class="second" d={`M${x + 22} ${y - 22}l-44 44`} />
  </g>
)

const Ring = ({ x, y }: { x: number; y: number }) => (
  <g class="mark side-2">
    <circle pathLength="1" cx={x} cy={y} r="25" transform={`rotate(-90 ${x} ${y})`} />
  </g>
)

const TicTacToe = ({ match, game }: BoardProps) => {
  const board = game?.board ?? emptyBoard(3, 3)
  const line = winningLine(board, 3)
  const last = cellOf(game?.moves.at(-1)?.action)
  const at = ([row, column]: Cell): [number, number] => [50 + column * 100, 50 + row * 100]
  return (
    <svg
      class={`board grid ${game?.result ? 'over' : ''}`}
      viewBox="0 0 300 300"
      role="img"
      aria-label={describeBoard(match, board)}
    >
      {board.flatMap((cells, row) =>
        cells.map((owner, column) => {
          const [x, y] = at([row, column])
          const isLast = last?.[0] === row && last[1] === column
          const state = `${isLast && !line ? `last ${sideClass(owner)}` : ''} ${isIn(line, row, column) ? `won ${sideClass(owner)}` : ''}`
          return (
            <g
              key={`${row}${column}`}
              class={`cell ${state} ${line && !isIn(line, row, column) ? 'faint' : ''}`}
            >
              <rect x={x - 46} y={y - 46} width="92" height="92" rx="12" />
              {owner === 'AGENT1' && <Cross key="mark" x={x} y={y} />}
              {owner === 'AGENT2' && <Ring key="mark" x={x} y={y} />}
            </g>
          )
        }),
      )}
      {line && <Strike line={line} at={at} />}
    </svg>
  )
}

export const look: Look = {
  type: 'TIC_TAC_TOE',
  Board: TicTacToe,
  describeMove: (action) => `takes ${cells[Number(action) - 1] ?? `cell ${action}`}`,
}
