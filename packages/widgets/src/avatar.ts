import { html, svg, type TemplateResult } from 'lit'
import { mosaicOf, mosaicSize } from './mosaic.ts'

/** The picture of an agent or a user, as on the pages of the arena. */
export const avatar = (id: string): TemplateResult => {
  const { background, tiles } = mosaicOf(id)
  return html`<svg class="avatar" viewBox="0 0 ${mosaicSize} ${mosaicSize}" width="40" height="40" aria-hidden="true">
    <rect width=${mosaicSize} height=${mosaicSize} fill=${background}></rect>
    ${tiles.map(({ d, fill }) => svg`<path d=${d} fill=${fill}></path>`)}
  </svg>`
}
