/** Pictures of goals and badges: those of the partner, or drawn ones, in facets like a mosaic. */
import { html, svg, type TemplateResult } from 'lit'
import { numbersOf } from './mosaic.ts'

/** Tones of a hue and its neighbours, from a text: equally light for all hues. */
export const tonesOf = (id: string) => {
  const next = numbersOf(id)
  const hue = (next() % 24) * 15
  const tone = (turn: number, lightness: number) =>
    `oklch(${lightness}% 0.15 ${(hue + turn) % 360})`
  return { next, tone }
}

/** Signs on a field of 24 × 24, by what a goal counts. */
const signs: Record<string, string> = {
  POINTS_AWARDED: 'M12 3.5l2.6 5.6 6.1.7-4.5 4.2 1.2 6L12 17l-5.4 3 1.2-6-4.5-4.2 6.1-.7z',
  GAME_PLAYED:
    'M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01',
  GAME_WON: 'M7 4h10v5a5 5 0 0 1-10 0zM7 6H4c0 3 1 4.5 3 4.5M17 6h3c0 3-1 4.5-3 4.5M12 14v4M8 20h8',
  CAMPAIGN_EVENT: 'M4 10v4h3l8 4.5v-13L7 10zM18 9.5a4 4 0 0 1 0 5',
  REFERRAL_MADE:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-4 2.5-6 6-6s6 2 6 6M18 8v6M15 11h6',
  CODE_REDEEMED: 'M4 6h16v4a2 2 0 0 0 0 4v4H4v-4a2 2 0 0 0 0-4zM10 6v2M10 11v2M10 16v2',
  OFFER_CLAIMED: 'M4 12V4h8l8.5 8.5-8 8zM8 8h.01',
  SESSION_WON: 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4',
  ACTIVITY: 'M6 21V4M6 5c4-2 7 2 12 0v9c-5 2-8-2-12 0',
}

export const picture = (url: string): TemplateResult => html`<img
  src=${url}
  alt=""
  loading="lazy"
  decoding="async"
  referrerpolicy="no-referrer"
  @error=${({ target }: Event) => (target as HTMLElement).classList.add('broken')}
  @load=${({ target }: Event) => (target as HTMLElement).classList.remove('broken')}
/>`

/** The picture of a goal: its sign, under its own picture if it has one. */
export const emblem = (slug: string, fact: string, imageUrl: string | null): TemplateResult => {
  const { tone } = tonesOf(slug)
  return html`<span class="emblem" aria-hidden="true">
    <svg viewBox="0 0 64 64">
      <rect width="64" height="64" fill=${tone(0, 52)}></rect>
      ${[
        ['M0 0h64L0 64z', 0, 57],
        ['M64 0v40L24 0z', 24, 65],
        ['M0 64V34l30 30z', 336, 46],
        ['M64 64H44l20-20z', 24, 56],
      ].map(
        ([d, turn, light]) => svg`<path d=${d} fill=${tone(Number(turn), Number(light))}></path>`,
      )}
      <path class="sign" transform="translate(14 14) scale(1.5)" d=${signs[fact] ?? signs['ACTIVITY']}></path>
    </svg>
    ${imageUrl ? picture(imageUrl) : ''}
  </span>`
}

/** Signs of badges. */
const honors = [
  'M12 4l2.4 5.2 5.6.7-4.1 3.9 1.1 5.6L12 16.6l-5 2.8 1.1-5.6L4 9.9l5.6-.7z',
  'M4 8l4 3.5L12 5l4 6.5L20 8l-1.5 10h-13z',
  'M13 3L5.5 13.5H11L10 21l8-11h-5.5z',
  'M12 20C6 15.5 4 12.5 4 9.5 4 7 6 5 8.3 5c1.6 0 2.9.9 3.7 2.2C12.8 5.9 14.1 5 15.7 5 18 5 20 7 20 9.5c0 3-2 6-8 10.5z',
  'M7 5h10l4 5.5L12 20 3 10.5zM3 10.5h18M9 10.5l3 9 3-9',
  'M12 3c1 4 5.5 5.5 5.5 10.5a5.5 5.5 0 0 1-11 0C6.5 11 8 10 8.5 8c1.5 1 2 2 2 3.5C12 9.5 12.5 6.5 12 3z',
]

/** The corners of a hexagon around (50, 50) that stands on a point. */
const corners = (radius: number): [number, number][] =>
  Array.from({ length: 6 }, (_, i) => {
    const angle = (Math.PI / 3) * i - Math.PI / 2
    return [50 + radius * Math.cos(angle), 50 + radius * Math.sin(angle)]
  })

const hexagon = (radius: number): string =>
  corners(radius)
    .map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`)
    .join(' ')

/** The lightness of the facets, from the top clockwise. */
const lights = [78, 68, 58, 52, 62, 73]

/** The picture of a badge: a medal in facets, with a ring of progress around it if there is one. */
export const medal = (id: string, imageUrl: string | null, rate?: number): TemplateResult => {
  const { tone, next } = tonesOf(id)
  const outer = corners(40)
  const facets = lights.map((light, i) => {
    const edge = [outer[i], outer[(i + 1) % 6]].map((corner) => corner?.join(' ')).join('L')
    return svg`<path d=${`M50 50L${edge}z`} fill=${tone(i * 7, light)}></path>`
  })
  return html`<span class="medal" aria-hidden="true">
    <svg viewBox="0 0 100 100">
      ${
        rate === undefined
          ? ''
          : svg`<circle class="ring" cx="50" cy="50" r="46"></circle>
            <circle class=${`ring ${rate > 0 ? 'got' : ''}`} cx="50" cy="50" r="46" pathLength="100" stroke-dasharray=${`${rate * 100} 100`}
              transform="rotate(-90 50 50)"></circle>`
      }
      <g class="metal">
        ${facets}
        <polygon points=${hexagon(31)} fill=${tone(10, 46)}></polygon>
        <polygon points=${hexagon(28)} fill=${tone(18, 58)}></polygon>
        <path class="sign" transform="translate(29 29) scale(1.75)" d=${honors[next() % honors.length]}></path>
      </g>
    </svg>
    ${imageUrl ? picture(imageUrl) : ''}
  </span>`
}
