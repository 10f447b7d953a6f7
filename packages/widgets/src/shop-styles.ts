import { css } from 'lit'
import { barStyles } from './reward-styles.ts'

/** What the shop and the rewards of a user have in common: pictures, names and notes. */
export const rewardArtStyles = css`
  ${barStyles}
  .art {
    position: relative;
    display: grid;
    place-items: center;
    overflow: hidden;
    background: var(--_raised);
  }
  .art > svg:first-child,
  .art > img {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    object-fit: cover;
  }
  .art > .medal,
  .art > svg + svg {
    position: relative;
    width: min(46%, 96px);
    filter: drop-shadow(0 3px 6px rgb(20 10 60 / 35%));
  }
  h3 {
    font-size: 1.06rem;
    font-weight: 700;
    line-height: 1.25;
    letter-spacing: -0.01em;
    overflow-wrap: anywhere;
  }
  h3:focus-visible {
    outline: none;
  }
  li:has(h3:focus-visible) {
    outline: 3px solid var(--_accent-2);
    outline-offset: 2px;
  }
  .text {
    display: flex;
    flex-direction: column;
    gap: 8px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .text > .soft {
    font-size: 0.94rem;
  }
  .note {
    display: flex;
    gap: 7px;
    min-width: 0;
    color: var(--_soft);
    font-size: 0.88rem;
  }
  .note span {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .note svg {
    flex: none;
    width: 16px;
    height: 16px;
    margin-top: 0.16em;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .more {
    width: 100%;
    margin-top: 14px;
  }
`

export const shopStyles = css`
  ${rewardArtStyles}
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 8px 12px;
  }
  .wallet {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    padding: 5px 14px 5px 6px;
    border: 1px solid var(--_line);
    border-radius: 999px;
    background: var(--_raised);
  }
  .wallet svg {
    width: 24px;
    height: 24px;
  }
  .shelf {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 250px), 1fr));
    gap: 14px;
    margin-top: 16px;
  }
  .reward {
    position: relative;
    display: flex;
    flex-direction: column;
    min-width: 0;
    overflow: hidden;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) * 0.8);
    background: var(--_surface);
  }
  .reward .art {
    flex: none;
    aspect-ratio: 16 / 9;
  }
  .closed .art {
    filter: grayscale(0.9);
    opacity: 0.6;
  }
  .reward .text {
    flex: 1;
    padding: 14px 16px 16px;
  }
  .notes {
    display: grid;
    gap: 4px;
  }
  .notes:not(:has(p)) {
    display: none;
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 10px 12px;
    margin-top: auto;
    padding-top: 4px;
  }
  .price {
    display: inline-flex;
    align-items: center;
    gap: 7px;
    min-width: 0;
    font-size: 1.06rem;
  }
  .price svg {
    flex: none;
    width: 24px;
    height: 24px;
  }
  .foot > button {
    margin-inline-start: auto;
    min-width: 96px;
  }
  .when,
  .why {
    color: var(--_soft);
    font-size: 0.92rem;
    font-weight: 620;
  }
  .foot .bar {
    flex: 1 1 100%;
    order: 1;
    height: 8px;
  }
  .poor .why {
    color: var(--_text);
  }
  .question {
    flex: 1 1 100%;
    display: grid;
    gap: 10px;
    padding: 12px;
    border-radius: calc(var(--_radius) * 0.6);
    background: color-mix(in oklab, var(--_accent) 12%, var(--_surface));
  }
  .answers {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .answers button {
    flex: 1 1 auto;
  }
  .fresh {
    animation: glow 2.4s ease-out;
  }
  @keyframes glow {
    20% {
      box-shadow: 0 0 0 4px color-mix(in oklab, var(--_good) 55%, transparent);
    }
  }
  .bone.tile {
    height: 290px;
    border-radius: calc(var(--_radius) * 0.8);
  }
`
