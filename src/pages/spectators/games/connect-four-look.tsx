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

/** The topmost disc of the column of the last move. */
export const lastDisc = (
  board: readonly (readonly (string | null)[])[],
  action: string | null | undefined,
): Cell | null => {
  if (!action) return null
  const column = Number(action) - 1
  const row = board.findIndex((cells) => cells[column])
  return row < 0 ? null : [row, column]
}

const ConnectFour = ({ match, game }: BoardProps) => {
  const board = game?.board ?? emptyBoard(6, 7)
  const line = winningLine(board, 4)
  const last = lastDisc(board, game?.moves.at(-1)?.action)
  const at = ([row, column]: Cell): [number, number] => [30 + column * 50, 30 + row * 50]
  return (
    <svg
      class={`board drop ${game?.result ? 'over' : ''}`}
      viewBox="0 0 360 310"
      role="img"
      aria-label={describeBoard(match, board)}
    >
      <rect class="panel" width="360" height="310" rx="22" />
      {board.flatMap((cells, row) =>
        cells.map((owner, column) => {
          const [x, y] = at([row, column])
          const isLast = last?.[0] === row && last[1] === column
          const state = `${isLast ? 'last' : ''} ${isIn(line, row, column) ? 'won' : line ? 'faint' : ''}`
          return (
            <g key={`${row}${column}`} class={`cell ${state}`}>
              <circle class="hole" cx={x} cy={y} r="20" />
              {owner && (
                <g key="disc" class={`disc ${sideClass(owner)} from-${row}`}>
                  <circle cx={x} cy={y} r="20" />
                  {owner === 'AGENT1' ? (
                    <path class="sign" d={`M${x - 6} ${y - 6}l12 12m0 -12l-12 12`} />
                  ) : (
                    <circle class="sign" cx={x} cy={y} r="7.500" />
                  )}
                </g>
              )}
            </g>
          )
        }),
      )}
      {line && <Strike line={line} at={at} />}
    </svg>
  )
}

export const look: Look = {
  type: 'CONNECT_FOUR',
  Board: ConnectFour,
  describeMove: (action) => `drops into column ${action}`,
}
