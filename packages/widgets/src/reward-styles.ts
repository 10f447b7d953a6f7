import { css } from 'lit'

/** Drawn pictures, which a picture of the partner covers, and the text of the last action. */
export const artStyles = css`
  .said {
    color: var(--_accent);
    font-size: 0.88rem;
    font-weight: 600;
  }
  .emblem,
  .medal {
    position: relative;
    display: block;
    flex: none;
  }
  .emblem svg,
  .medal svg {
    display: block;
    width: 100%;
  }
  .emblem img,
  .medal img {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    object-fit: cover;
  }
  img.broken {
    visibility: hidden;
  }
  .medal img {
    inset: 10%;
    width: 80%;
    height: 80%;
    clip-path: polygon(50% 0, 93.3% 25%, 93.3% 75%, 50% 100%, 6.7% 75%, 6.7% 25%);
  }
  .sign {
    fill: none;
    stroke: #fff;
    stroke-width: 1.7;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .gift-sign {
    fill: none;
    stroke: var(--_accent);
    stroke-width: 1.7;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .medal .sign {
    fill: rgb(255 255 255 / 92%);
    stroke-width: 1.2;
  }
`

/** Bars of progress, and confetti over a card. */
export const barStyles = css`
  ${artStyles}
  .bar {
    height: 12px;
    overflow: hidden;
    border-radius: 6px;
    background: color-mix(in oklab, var(--_accent) 14%, var(--_raised));
  }
  .fill {
    display: block;
    width: calc(var(--_rate) * 100%);
    height: 100%;
    border-radius: 6px;
    background: linear-gradient(90deg, var(--_accent), var(--_accent-2));
    transition: width 0.7s cubic-bezier(0.2, 0.8, 0.2, 1);
  }
  canvas {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    pointer-events: none;
  }
`
