import { css } from 'lit'
import { barStyles } from './reward-styles.ts'

export const streakStyles = css`
  ${barStyles}
  .streak {
    --_hot: light-dark(#e8590c, #ff9f43);
    --_hot-2: light-dark(#f59f00, #ffd166);
    --_ice: light-dark(#1971c2, #74c0fc);
    --_tone: var(--_hot);
    display: grid;
    gap: 14px;
    background: linear-gradient(150deg, color-mix(in oklab, var(--_tone) 13%, var(--_surface)), var(--_surface) 55%);
  }
  .frozen.streak {
    --_tone: var(--_ice);
  }
  :is(.begin, .broken, .paused).streak {
    --_tone: var(--_soft);
  }
  .top {
    display: flex;
    align-items: center;
    gap: 6px 16px;
    min-width: 0;
  }
  .top > div {
    flex: 1 1 0;
    min-width: 0;
  }
  .title {
    color: var(--_soft);
    font-size: 1rem;
    font-weight: 650;
  }
  .mark {
    position: relative;
    flex: none;
  }
  .flame {
    display: block;
    width: 58px;
  }
  .f1 {
    fill: var(--_hot);
  }
  .f2 {
    fill: color-mix(in oklab, var(--_hot) 75%, #fff);
  }
  .f3 {
    fill: color-mix(in oklab, var(--_hot) 82%, #7a1f00);
  }
  .f4 {
    fill: #ffd166;
  }
  .f5 {
    fill: #fff0c2;
  }
  .frozen .flame {
    filter: hue-rotate(180deg) saturate(0.8);
  }
  :is(.begin, .broken) .flame {
    opacity: 0.45;
    filter: grayscale(1);
  }
  .paused .flame {
    filter: grayscale(0.85);
  }
  .at_risk .flame {
    transform-origin: 50% 100%;
    animation: flicker 1.4s ease-in-out infinite alternate;
  }
  @keyframes flicker {
    to {
      transform: scale(0.92, 0.86) skewX(-3deg);
    }
  }
  .mark .sign {
    position: absolute;
    inset-block-end: -4px;
    inset-inline-end: -8px;
    display: grid;
    place-items: center;
    width: 26px;
    height: 26px;
    border: 1px solid var(--_line);
    border-radius: 50%;
    background: var(--_surface);
    color: var(--_tone);
  }
  .sign svg,
  .dot svg,
  .freezes svg,
  .advice svg {
    flex: none;
    width: 16px;
    height: 16px;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .length {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 0.35em;
    font-weight: 650;
    line-height: 1.15;
  }
  .length b {
    font-size: 2.5rem;
    font-weight: 800;
    line-height: 1;
    letter-spacing: -0.03em;
  }
  .advice {
    display: flex;
    gap: 8px;
    font-weight: 620;
  }
  .advice svg {
    width: 1.2em;
    height: 1.2em;
    margin-top: 0.12em;
  }
  .met .advice {
    color: var(--_good);
  }
  .at_risk .advice {
    padding: 10px 14px;
    border-radius: calc(var(--_radius) * 0.6);
    background: color-mix(in oklab, var(--_hot) 16%, var(--_surface));
  }
  .at_risk .advice svg {
    color: var(--_hot);
  }
  .windows {
    display: grid;
    grid-template-columns: repeat(7, minmax(0, 1fr));
    gap: 4px;
    container-type: inline-size;
  }
  .windows li {
    display: flex;
    flex-direction: column;
    align-items: center;
    gap: 5px;
    min-width: 0;
  }
  .windows small {
    max-width: 100%;
    overflow: hidden;
    color: var(--_soft);
    font-size: min(0.8rem, 5cqi);
    white-space: nowrap;
  }
  .present small {
    color: var(--_text);
    font-weight: 700;
  }
  .dot {
    display: grid;
    place-items: center;
    width: min(100%, 38px);
    aspect-ratio: 1;
    border: 2px solid transparent;
    border-radius: 50%;
    color: var(--_soft);
  }
  .dot svg {
    width: 56%;
    height: auto;
    stroke-width: 2.6;
  }
  .dot.met {
    background: linear-gradient(135deg, var(--_hot-2), var(--_hot));
    color: #2b0d00;
  }
  .dot.restored {
    border-color: var(--_hot);
    color: var(--_hot);
  }
  .dot.frozen {
    border-color: var(--_ice);
    background: color-mix(in oklab, var(--_ice) 16%, var(--_surface));
    color: var(--_ice);
  }
  .dot.paused {
    border-color: var(--_line);
    background: var(--_raised);
  }
  .dot.missed {
    border-color: var(--_bad);
    color: var(--_bad);
  }
  .dot.open {
    border-color: var(--_tone);
    border-style: dashed;
  }
  .dot.none::before {
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: var(--_line);
    content: '';
  }
  .fresh .present .dot.met {
    animation: grow 0.7s cubic-bezier(0.2, 1.7, 0.4, 1) backwards;
  }
  .fresh .length b {
    animation: grow 0.6s cubic-bezier(0.2, 1.5, 0.4, 1) backwards;
  }
  .fresh .flame {
    transform-origin: 50% 100%;
    animation: rise 0.9s cubic-bezier(0.2, 1.6, 0.4, 1) backwards;
  }
  @keyframes grow {
    from {
      opacity: 0;
      transform: scale(0.4);
    }
  }
  @keyframes rise {
    30% {
      transform: scale(1.18, 1.28);
    }
  }
  .milestone {
    display: flex;
    align-items: center;
    gap: 12px;
    padding: 12px 14px;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) * 0.7);
    background: var(--_surface);
  }
  .milestone > div {
    display: grid;
    flex: 1 1 0;
    gap: 6px;
    min-width: 0;
  }
  .milestone > svg,
  .milestone .medal {
    width: 34px;
    height: 34px;
  }
  .milestone p {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 0 10px;
  }
  .milestone .soft {
    font-size: 0.88rem;
  }
  .milestone .fill {
    background: linear-gradient(90deg, var(--_hot), var(--_hot-2));
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 6px 14px;
    color: var(--_soft);
    font-size: 0.88rem;
  }
  .foot:not(:has(*)) {
    display: none;
  }
  .freezes {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px;
  }
  .freezes > span:last-child {
    margin-inline-start: 4px;
  }
  .freezes svg {
    display: block;
    width: 20px;
    height: 20px;
    opacity: 0.35;
  }
  .freezes .has svg {
    color: var(--_ice);
    opacity: 1;
    stroke-width: 2.4;
  }
  .bone.flame {
    width: 58px;
    height: 66px;
  }
  .bone.heading {
    height: 56px;
  }
  .bone.row {
    height: 60px;
    margin-top: 14px;
  }
`
