/** The boards of the games. */
import type { BoardGame } from './match-state.ts'
import { type Cell, lastCell, winningLine } from './winning-line.ts'
import type { Match } from './wire.ts'
import { moveWords, sideOf } from './words.ts'

type Props = { match: Match; game: BoardGame | null }

const isIn = (cells: readonly Cell[] | null, row: number, column: number) =>
  cells?.some(([r, c]) => r === row && c === column) ?? false

const emptyBoard = (rows: number, columns: number): string[][] =>
  Array.from({ length: rows }, () => Array<string>(columns).fill(''))

/** A board in words, for those who do not see it. */
const describe = (match: Match, board: string[][]): string =>
  board
    .map(
      (cells, row) =>
        `Row ${row + 1}: ${cells.map((cell) => (cell ? sideOf(match, Number(cell)).displayName : 'free')).join(', ')}.`,
    )
    .join(' ')

/** What both kinds of grid need to know of a game. */
const lookAt = ({ match, game }: Props, rows: number, columns: number) => {
  const board = game?.board ?? emptyBoard(rows, columns)
  const last = game?.moves.at(-1)
  return {
    board,
    line: winningLine(match.gameType, board),
    last: lastCell(match.gameType, board, last?.action),
    isOver: game?.result != null,
  }
}

/** The line through the cells that won. */
const Strike = ({ line, at }: { line: Cell[]; at: (cell: Cell) => [number, number] }) => {
  const [x1, y1] = at(line[0] as Cell)
  const [x2, y2] = at(line.at(-1) as Cell)
  return <line class="strike" x1={x1} y1={y1} x2={x2} y2={y2} pathLength="1" />
}

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

const TicTacToe = (props: Props) => {
  const { board, line, last, isOver } = lookAt(props, 3, 3)
  const at = ([row, column]: Cell): [number, number] => [50 + column * 100, 50 + row * 100]
  return (
    <svg
      class={`board grid ${isOver ? 'over' : ''}`}
      viewBox="0 0 300 300"
      role="img"
      aria-label={describe(props.match, board)}
    >
      {board.flatMap((cells, row) =>
        cells.map((owner, column) => {
          const [x, y] = at([row, column])
          const isLast = last?.[0] === row && last[1] === column
          const state = `${isLast && !line ? `last side-${owner}` : ''} ${isIn(line, row, column) ? `won side-${owner}` : ''}`
          return (
            <g
              key={`${row}${column}`}
              class={`cell ${state} ${line && !isIn(line, row, column) ? 'faint' : ''}`}
            >
              <rect x={x - 46} y={y - 46} width="92" height="92" rx="12" />
              {owner === '1' && <Cross key="mark" x={x} y={y} />}
              {owner === '2' && <Ring key="mark" x={x} y={y} />}
            </g>
          )
        }),
      )}
      {line && <Strike line={line} at={at} />}
    </svg>
  )
}

const ConnectFour = (props: Props) => {
  const { board, line, last, isOver } = lookAt(props, 6, 7)
  const at = ([row, column]: Cell): [number, number] => [30 + column * 50, 30 + row * 50]
  return (
    <svg
      class={`board drop ${isOver ? 'over' : ''}`}
      viewBox="0 0 360 310"
      role="img"
      aria-label={describe(props.match, board)}
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
                <g key="disc" class={`disc side-${owner} from-${row}`}>
                  <circle cx={x} cy={y} r="20" />
                  {owner === '1' ? (
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

/** Fingers as lines [x1, y1, x2, y2]; the thumb is the last. */
const hands: Record<string, [number, number, number, number][]> = {
  ROCK: [
    [35, 52, 35, 47],
    [47, 52, 47, 44],
    [59, 52, 59, 44],
    [71, 52, 71, 47],
    [37, 68, 56, 66],
  ],
  PAPER: [
    [36, 56, 30, 24],
    [48, 54, 46, 14],
    [60, 54, 62, 15],
    [71, 57, 77, 26],
    [36, 74, 17, 55],
  ],
  SCISSORS: [
    [39, 54, 28, 16],
    [52, 54, 63, 15],
    [61, 55, 60, 50],
    [72, 56, 71, 52],
    [37, 70, 56, 67],
  ],
}

const Hand = ({ action }: { action: string }) => {
  const fingers = hands[action] ?? []
  return (
    <svg class="hand" viewBox={action === 'ROCK' ? '3 23 96 96' : '0 4 106 106'} aria-hidden="true">
      <rect class="palm" x="29" y="48" width="48" height="46" rx="17" />
      {fingers.map(([x1, y1, x2, y2], i) => (
        <g key={i}>
          <line class="gap" x1={x1} y1={y1} x2={x2} y2={y2} />
          <line class="finger" x1={x1} y1={y1} x2={x2} y2={y2} />
        </g>
      ))}
      <rect class="cuff" x="33" y="98" width="40" height="8" rx="3" />
    </svg>
  )
}

const RockPaperScissors = ({ match, game }: Props) => {
  const shown = [1, 2].map((slot) => game?.moves.find((move) => move.slot === slot))
  const winner = game?.result?.winnerSlot ?? null
  return (
    <div class="hands">
      {shown.map((move, i) => {
        const slot = i + 1
        const fate = !game?.result
          ? ''
          : winner === slot
            ? 'won'
            : winner === null
              ? 'even'
              : 'lost'
        return (
          <figure key={slot} class={`showing side-${slot} ${move ? 'open' : ''} ${fate}`}>
            <div class="card">
              <div class="back">
                <svg viewBox="0 0 60 60" aria-hidden="true">
                  <path d="M0 0h20v20zM20 0a20 20 0 0 1 20 20h-20zM40 0h20v20h-20zM0 20h20v20h-20zM20 20h20l-20 20zM60 20v20h-20zM0 40a20 20 0 0 1 20 20h-20zM20 40h20v20zM40 40h20v20h-20z" />
                </svg>
              </div>
              <div class="face">{move?.action && <Hand action={move.action} />}</div>
            </div>
            <figcaption>
              {move
                ? (move.action ?? '').toLowerCase() || moveWords(match.gameType, move)
                : 'thinking'}
            </figcaption>
          </figure>
        )
      })}
    </div>
  )
}

/** The cells of a game that has no drawing of its own. */
const PlainBoard = ({ match, game }: Props) => (
  <table class="plain" aria-label={describe(match, game?.board ?? [])}>
    <tbody>
      {(game?.board ?? []).map((cells, row) => (
        <tr key={row}>
          {cells.map((cell, column) => (
            <td key={column} class={`side-${cell}`}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

const boards: Record<string, (props: Props) => preact.JSX.Element> = {
  TIC_TAC_TOE: TicTacToe,
  CONNECT_FOUR: ConnectFour,
  ROCK_PAPER_SCISSORS: RockPaperScissors,
}

export const Board = ({ match, game }: Props) => {
  const Drawing = boards[match.gameType] ?? PlainBoard
  return (
    <div class="board-place" key={game?.gameNumber ?? 0}>
      <Drawing match={match} game={game} />
    </div>
  )
}
