import { type BoardProps, describeBoard, type Look } from './look.tsx'
import { sideClass } from './page-words.ts'

const signs: Record<string, string> = { AGENT1: '1', AGENT2: '2' }

/** The cells of a game without its own look. */
const PlainBoard = ({ match, game }: BoardProps) => (
  <table class="plain" aria-label={describeBoard(match, game?.board ?? [])}>
    <tbody>
      {(game?.board ?? []).map((cells, row) => (
        <tr key={row}>
          {cells.map((cell, column) => (
            <td key={column} class={sideClass(cell)}>
              {cell && (signs[cell] ?? cell)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

/** The look of a game without its own. */
export const plainLook = (type: string): Look => ({
  type,
  Board: PlainBoard,
  describeMove: (action) => `plays ${action.toLowerCase()}`,
})
