/** The styles of all widgets. Pages change them with the variables `--tessera-…`. */
import { css } from 'lit'

export const theme = css`
  :host {
    --_accent: var(--tessera-accent, var(--_brand, light-dark(#5a3ff0, #a18fff)));
    --_accent-2: var(--tessera-accent-2, light-dark(#0b7f96, #3ce3f4));
    --_on-accent: var(--tessera-on-accent, light-dark(#ffffff, #120d2e));
    --_surface: var(--tessera-surface, light-dark(#ffffff, #17142e));
    --_raised: var(--tessera-raised, light-dark(#f3f1fc, #231f45));
    --_line: var(--tessera-line, light-dark(#e2def3, #37315f));
    --_text: var(--tessera-text, light-dark(#1a1733, #f5f3ff));
    --_soft: var(--tessera-soft, light-dark(#5c5680, #bcb5e2));
    --_good: var(--tessera-good, light-dark(#0a7a4b, #5ff0b0));
    --_bad: var(--tessera-bad, light-dark(#b3261e, #ff9d94));
    --_epic: var(--tessera-epic, light-dark(#8f5a00, #ffc857));
    --_rare: var(--tessera-rare, light-dark(#6b35d9, #c59bff));
    --_common: var(--tessera-common, light-dark(#4d6079, #9fb6d6));
    --_radius: var(--tessera-radius, 20px);
    display: block;
    color: var(--_text);
    font: 400 1rem / 1.45 var(--tessera-font, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
    container-type: inline-size;
    text-align: start;
    -webkit-tap-highlight-color: transparent;
  }
  :host([hidden]) {
    display: none;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd {
    margin: 0;
    padding: 0;
  }
  h2,
  h3,
  p {
    overflow-wrap: anywhere;
  }
  ul,
  ol {
    list-style: none;
  }
  .card {
    position: relative;
    overflow: hidden;
    padding: clamp(16px, 5cqi, 28px);
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    box-shadow: var(--tessera-shadow, 0 1px 2px rgb(20 10 60 / 6%), 0 12px 32px -12px rgb(20 10 60 / 18%));
  }
  .title {
    font-size: 1.2rem;
    font-weight: 700;
    line-height: 1.2;
    letter-spacing: -0.015em;
    text-wrap: balance;
  }
  .soft {
    color: var(--_soft);
  }
  .number {
    font-variant-numeric: tabular-nums;
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 8px;
    min-height: 44px;
    max-width: 100%;
    padding: 8px 18px;
    border: 0;
    border-radius: calc(var(--_radius) * 0.6);
    background: var(--_accent);
    color: var(--_on-accent);
    font: inherit;
    font-weight: 650;
    overflow-wrap: anywhere;
    text-decoration: none;
    cursor: pointer;
    transition:
      transform 0.15s,
      filter 0.15s;
  }
  button:hover {
    filter: brightness(1.08);
  }
  button:active {
    transform: scale(0.98);
  }
  button[aria-disabled='true'] {
    background: var(--_raised);
    color: var(--_soft);
    cursor: not-allowed;
    filter: none;
    transform: none;
  }
  button.plain {
    border: 1px solid var(--_line);
    background: transparent;
    color: var(--_text);
  }
  a {
    color: var(--_accent);
  }
  :focus-visible {
    outline: 3px solid var(--_accent-2);
    outline-offset: 3px;
  }
  .notice {
    display: flex;
    flex-direction: column;
    align-items: center;
    justify-content: center;
    gap: 14px;
    min-height: 120px;
    text-align: center;
    text-wrap: balance;
    color: var(--_soft);
  }
  .bone {
    border-radius: 8px;
    background: linear-gradient(90deg, var(--_raised) 25%, var(--_line) 50%, var(--_raised) 75%) 0 / 300% 100%;
    animation: shimmer 1.6s linear infinite;
  }
  @keyframes shimmer {
    from {
      background-position: 150% 0;
    }
    to {
      background-position: -150% 0;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    ::before,
    ::after {
      animation: none !important;
      transition: none !important;
    }
  }
`

/** Rows of a list with a picture, two lines and a figure. */
export const rowStyles = css`
  .rows {
    display: grid;
    gap: 4px;
    margin-top: 14px;
  }
  .row {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    align-items: center;
    gap: 12px;
    min-height: 56px;
    padding: 8px 12px;
    border-radius: calc(var(--_radius) * 0.6);
  }
  .row .avatar {
    border-radius: 30%;
  }
  .row b,
  .row small {
    display: block;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .row b {
    font-weight: 620;
  }
  .row small {
    color: var(--_soft);
    font-size: 0.84rem;
  }
  .row .figure {
    font-weight: 700;
    text-align: end;
    white-space: nowrap;
  }
  .head {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: 12px;
  }
  .bone.line {
    height: 40px;
    margin-top: 12px;
  }
`
