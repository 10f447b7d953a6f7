/** The symbols of the slots. Beyond the number of drawings they repeat, with a number. */
import { html, type SVGTemplateResult, svg, type TemplateResult } from 'lit'
import type { Say } from './texts.ts'

const drawings: SVGTemplateResult[] = [
  // A planet with its ring
  svg`<circle cx="24" cy="24" r="12" fill="#ff8fb8"/><path d="M13 20a12 12 0 0 1 22-2z" fill="#ffc2d8"/>
  <path d="M13 28c5 3 15 3 21 0a12 12 0 0 1-21 0z" fill="#d9568c"/>
  <path d="M12 27C2 33 3 36 12 34s25-10 29-16c3-5-2-5-8-3" fill="none" stroke="#ffd166" stroke-width="3.4" stroke-linecap="round"/>`,
  // A star
  svg`<path d="m24 5 5.6 12.4 13.4 1.5-10 9.2 2.8 13.4L24 34.7 12.2 41.5 15 28.1 5 18.900l13.4-1.500z" fill="#ffc93c"/>
  <path d="m24 5 5.6 12.400L24 24z" fill="#fff0b8"/><path d="M24 24v10.700L12.2 41.500z" fill="#e69a00"/>
  <path d="M24 24 5 18.900l13.4-1.500z" fill="#ffdf80"/>`,
  // A moon
  svg`<path d="M31 6a19 19 0 1 0 11 25A16 16 0 0 1 31 6z" fill="#b8c7ff"/><circle cx="17" cy="23" r="3" fill="#8496e0"/>
  <circle cx="24" cy="35" r="2.5" fill="#8496e0"/><circle cx="22" cy="15" r="1.8" fill="#8496e0"/>`,
  // A rocket
  svg`<path d="M17 33c-5 1-7 5-7 9 4 0 8-2 9-7z" fill="#ff9f43"/><path d="M14 24 7 29l6 2zM24 34l-5 7-2-6z" fill="#ff5c7a"/>
  <path d="M42 6C30 6 20 13 13 27l8 8C35 28 42 18 42 6z" fill="#eef1ff"/><path d="M42 6c0 12-7 22-21 29l-4-4C29 25 37 17 42 6z" fill="#c3cbef"/>
  <circle cx="30" cy="18" r="4.5" fill="#3ce3f4" stroke="#5a63a8" stroke-width="2"/>`,
  // A comet
  svg`<path d="M42 5 25 17l5 6z" fill="#3ce3f4"/><path d="M36 3 19 20l9 9L45 12z" fill="#3ce3f4" opacity=".35"/>
  <circle cx="18" cy="30" r="12" fill="#1fb8d3"/><circle cx="16" cy="28" r="8" fill="#7df1fb"/><circle cx="14" cy="26" r="3" fill="#fff"/>`,
  // A sun
  svg`<path d="M24 3v7M24 38v7M3 24h7M38 24h7M9 9l5 5M34 34l5 5M39 9l-5 5M14 34l-5 5" stroke="#ffb020" stroke-width="4" stroke-linecap="round"/>
  <circle cx="24" cy="24" r="12" fill="#ff8a1f"/><circle cx="22" cy="22" r="8" fill="#ffc24d"/>`,
  // A crystal
  svg`<path d="M14 7h20l9 12-19 23L5 19z" fill="#8f6bff"/><path d="M14 7 18 19H5zM34 7l-4 12h13z" fill="#b79bff"/>
  <path d="M14 7h20l-4 12H18z" fill="#ddd0ff"/><path d="M18 19h12l-6 23z" fill="#a685ff"/>`,
  // A flying saucer
  svg`<path d="M16 30 9 43h30l-7-13z" fill="#9df5c5" opacity=".4"/><path d="M14 21a10 11 0 0 1 20 0z" fill="#a9f0ff"/>
  <ellipse cx="24" cy="25" rx="20" ry="7.5" fill="#5ed69b"/><ellipse cx="24" cy="23" rx="13" ry="3.5" fill="#2e9c6a"/>
  <circle cx="11" cy="26" r="2" fill="#fff3b0"/><circle cx="24" cy="29" r="2" fill="#fff3b0"/><circle cx="37" cy="26" r="2" fill="#fff3b0"/>`,
  // A galaxy
  svg`<path d="M24 24c0-7 9-9 13-4 5 7-2 18-13 18C11 38 5 27 10 17 15 7 28 4 36 9" fill="none" stroke="#ff7ad0" stroke-width="4" stroke-linecap="round"/>
  <path d="M24 24c0 6-9 6-10 0-1-7 8-11 14-8" fill="none" stroke="#ffc2ec" stroke-width="3.5" stroke-linecap="round"/><circle cx="24" cy="24" r="4" fill="#fff"/>`,
  // A satellite
  svg`<path d="m5 18 9-9 7 7-9 9zM27 32l9-9 7 7-9 9z" fill="#4a8cff"/><path d="m19 18 6-6 11 11-6 6-11 11-3-3z" fill="#dfe4f7"/>
  <path d="M9.5 13.500l7 7M31.5 27.500l7 7" stroke="#cfe0ff" stroke-width="1.5"/><circle cx="25" cy="23" r="3.5" fill="#ff9f43"/>`,
]

export const symbol = (index: number): TemplateResult => {
  const round = Math.floor(index / drawings.length)
  return html`<svg class="symbol" viewBox="0 0 48 48" aria-hidden="true">
    ${drawings[index % drawings.length]}
    ${round > 0 ? svg`<text class="again" x="44" y="45">${round + 1}</text>` : null}
  </svg>`
}

/** What a symbol shows, such as `rocket`. */
export const symbolName = (index: number, say: Say): string => {
  const round = Math.floor(index / drawings.length)
  const name = say.text('symbols').split(/,\s*/)[index % drawings.length] ?? ''
  return round > 0 ? `${name} ${round + 1}` : name
}
