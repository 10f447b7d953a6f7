/** What a prize is, as a drawing on a field of 48 × 48. */
import { type SVGTemplateResult, svg } from 'lit'

const drawings: Record<string, SVGTemplateResult> = {
  POINTS: svg`<circle cx="24" cy="24" r="21" fill="#f5a524"/><circle cx="24" cy="24" r="17" fill="#ffd166"/>
  <path d="M24 12 36 24 24 36 12 24z" fill="#e08700"/><path d="M24 12 36 24H24z" fill="#fff3cd"/><path d="M12 24h12v12z" fill="#b86800"/>`,
  CASHBACK: svg`<rect x="3" y="11" width="42" height="26" rx="4" fill="#23a26d"/><rect x="7" y="15" width="34" height="18" rx="2" fill="#7be3b2"/>
  <circle cx="24" cy="24" r="7" fill="#23a26d"/><path d="m20 28 8-8M20.500 21v.1M27.500 27v.1" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>`,
  XP: svg`<path d="M28 3 9 27h12l-3 18 20-26H26z" fill="#3ce3f4"/><path d="M28 3 9 27h12z" fill="#b9f7ff"/>`,
  ITEM: svg`<path d="M24 4 43 14v20L24 44 5 34V14z" fill="#e8a25c"/><path d="m24 24 19-10v20L24 44z" fill="#b96f2c"/>
  <path d="M24 4 43 14 24 24 5 14z" fill="#ffce97"/><path d="m14.500 9 19 10v8l-5 2.600v-8l-19-10z" fill="#fff3e0"/>`,
  SPECIAL: svg`<path d="m24 3 5.500 15.500L45 24l-15.500 5.500L24 45l-5.500-15.500L3 24l15.500-5.500z" fill="#ff8fd0"/>
  <path d="m24 3 5.500 15.500L24 24z" fill="#ffd9f0"/><path d="M45 24l-15.500 5.500L24 24z" fill="#d9569f"/><path d="m40 5 1.500 4.500L46 11l-4.500 1.500L40 17l-1.500-4.500L34 11l4.500-1.500z" fill="#ffd166"/>`,
}

/** The drawing of a kind of reward. */
export const prizeArt = (type: string): SVGTemplateResult => drawings[type] ?? svg``
