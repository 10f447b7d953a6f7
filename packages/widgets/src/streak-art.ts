/** The pictures of a streak: a flame in facets like a mosaic, and a sign for each status of a window. */
import { html, svg, type TemplateResult } from 'lit'
import type { WindowStatus } from './streak-data.ts'

/** Its colours are those of the state. */
export const flame = html`<svg class="flame" viewBox="0 0 64 72" aria-hidden="true">
  ${svg`<path class="f1" d="M33 2C36 16 56 24 56 46a24 24 0 0 1-24 24V36z"></path>
    <path class="f2" d="M33 2C30 14 22 17 18 27L32 44z"></path>
    <path class="f3" d="M14 24C10 30 8 38 8 46a24 24 0 0 0 24 24V40L18 27c-1-1-3-3-4-3z"></path>
    <path class="f4" d="M32 36c4 6 12 9 12 19a12 12 0 0 1-24 0c0-6 4-9 6-13 2 1 3 2 4 3 1-3 2-6 2-9z"></path>
    <path class="f5" d="M32 36c4 6 12 9 12 19a12 12 0 0 1-12 12z"></path>`}
</svg>`

const sign = (d: string): TemplateResult =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${d}></path></svg>`

export const snowflake = sign(
  'M12 3v18M4.2 7.5l15.6 9M19.8 7.5l-15.6 9M12 7l-2.5-2M12 7l2.5-2M12 17l-2.5 2M12 17l2.5 2',
)

const signs: Record<WindowStatus, TemplateResult | ''> = {
  MET: sign('M5 12.5l4.5 4.5L19 7.5'),
  FROZEN: snowflake,
  PAUSED: sign('M9 6v12M15 6v12'),
  RESTORED: sign('M5 5v5h5M5.5 10a7.5 7.5 0 1 1-1 5'),
  MISSED: sign('M7 7l10 10M17 7L7 17'),
  NOT_REQUIRED: sign('M7 12h10'),
  OPEN: '',
}

export const signOf = (status: WindowStatus): TemplateResult | '' => signs[status]
