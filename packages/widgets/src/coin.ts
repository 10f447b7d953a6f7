import { html, svg } from 'lit'

/** The icon of points: a coin with a mosaic tile. */
export const coin = html`<svg viewBox="0 0 32 32" aria-hidden="true">
  ${svg`<circle cx="16" cy="16" r="15" fill="#f5a524"/><circle cx="16" cy="16" r="12" fill="#ffd166"/>
  <path d="M16 7.5 24.5 16 16 24.5 7.5 16z" fill="#e08700"/><path d="M16 7.5 24.5 16H16z" fill="#fff3cd"/>
  <path d="M7.5 16H16v8.5z" fill="#b86800"/>`}
</svg>`
