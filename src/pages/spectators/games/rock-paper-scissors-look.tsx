import type { BoardProps, Look } from '../look.tsx'
import { faultTexts, sideClass } from '../page-words.ts'

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

const slots = ['AGENT1', 'AGENT2'] as const

const RockPaperScissors = ({ game }: BoardProps) => {
  const winner = game?.result?.winnerSlot ?? null
  return (
    <div class="hands">
      {slots.map((slot) => {
        const move = game?.moves.find((move) => move.slot === slot)
        const fate = !game?.result
          ? ''
          : winner === slot
            ? 'won'
            : winner === null
              ? 'even'
              : 'lost'
        return (
          <figure key={slot} class={`showing ${sideClass(slot)} ${move ? 'open' : ''} ${fate}`}>
            <div class="flip">
              <div class="back">
                <svg viewBox="0 0 60 60" aria-hidden="true">
                  <path d="M0 0h20v20zM20 0a20 20 0 0 1 20 20h-20zM40 0h20v20h-20zM0 20h20v20h-20zM20 20h20l-20 20zM60 20v20h-20zM0 40a20 20 0 0 1 20 20h-20zM20 40h20v20zM40 40h20v20h-20z" />
                </svg>
              </div>
              <div class="face">{move?.action && <Hand action={move.action} />}</div>
            </div>
            <figcaption>
              {move ? (move.action?.toLowerCase() ?? faultTexts(move.fault)) : 'thinking'}
            </figcaption>
          </figure>
        )
      })}
    </div>
  )
}

export const look: Look = {
  type: 'ROCK_PAPER_SCISSORS',
  Board: RockPaperScissors,
  describeMove: (action) => `shows ${action.toLowerCase()}`,
  describeGame: (first, second) => `${first.join(' ')} – ${second.join(' ')}`.toLowerCase(),
}
