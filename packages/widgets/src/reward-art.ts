/** Pictures of rewards: those of the partner, or drawn ones, in facets like a mosaic, with a sign of what they give. */
import { html, type SVGTemplateResult, svg, type TemplateResult } from 'lit'
import { coin } from './coin.ts'
import { gameSigns } from './game-signs.ts'
import { medal, picture, tonesOf } from './goal-art.ts'
import type { GivenReward } from './goal-data.ts'
import type { GameType } from './plays.ts'

const path = (d: string) => svg`<path d=${d}></path>`

/** Signs on a field of 24 × 24. */
const parcel = path('M12 3.5l8 4v9l-8 4-8-4v-9zM4 7.5l8 4 8-4M12 11.5v9M8 5.5l8 4')
const ticket = path(
  'M3.5 6.5h17V10a2 2 0 0 0 0 4v3.500h-17V14a2 2 0 0 0 0-4zM14 7v2M14 11v2M14 15v2',
)

const signOf = (kind: string, gameType: GameType | null): SVGTemplateResult =>
  gameType ? gameSigns[gameType] : kind === 'CODE' ? ticket : parcel

/** The facets: a path, and how its tone differs from the main one. */
const facets: [d: string, turn: number, lightness: number][] = [
  ['M0 0h40L0 36z', 0, 58],
  ['M40 0h56v20z', 18, 66],
  ['M40 0l56 20-40 22z', 30, 60],
  ['M0 36L40 0l16 42-30 18H0z', 345, 50],
  ['M96 20v40H70L56 42z', 12, 54],
  ['M56 42l14 18H26z', 330, 44],
]

/** The picture of a reward, which fills its place. */
export const rewardArt = (
  { uuid, kind, imageUrl }: GivenReward,
  gameType: GameType | null,
): TemplateResult => {
  const { tone } = tonesOf(uuid)
  const isDrawn = kind !== 'BADGE' && kind !== 'POINTS'
  return html`<span class="art" aria-hidden="true">
    <svg viewBox="0 0 96 60" preserveAspectRatio="xMidYMid slice">
      <rect width="96" height="60" fill=${tone(0, 52)}></rect>
      ${facets.map(([d, turn, lightness]) => svg`<path d=${d} fill=${tone(turn, lightness)}></path>`)}
      ${isDrawn ? svg`<g class="sign" transform="translate(29 11) scale(1.58)">${signOf(kind, gameType)}</g>` : ''}
    </svg>
    ${kind === 'BADGE' && !imageUrl ? medal(uuid, null) : kind === 'POINTS' ? coin : ''}
    ${imageUrl ? picture(imageUrl) : ''}
  </span>`
}
