import { css } from 'lit'

export const slotsStyles = css`
  .machine {
    width: 100%;
    padding: 4.5% 5% 6%;
    border-radius: clamp(20px, 7cqi, 34px);
    background: linear-gradient(180deg, #5a41c9, #2c1f74 45%, #1b1350);
    box-shadow:
      inset 0 2px 0 rgb(255 255 255 / 35%),
      inset 0 -10px 24px rgb(0 0 0 / 40%),
      0 24px 50px -12px rgb(0 0 0 / 60%);
  }
  .lamps {
    display: grid;
    padding-bottom: 4.5%;
  }
  .lamps div {
    display: flex;
    grid-area: 1 / 1;
    justify-content: space-around;
    animation: lamp 1.8s ease-in-out infinite;
  }
  .lamps div + div {
    animation-delay: -0.9s;
  }
  .lamps i {
    width: 9px;
    height: 9px;
    border-radius: 50%;
    background: #fff1c2;
    box-shadow: 0 0 12px #ffc857;
  }
  .lamps div:first-child i:nth-child(even),
  .lamps div + div i:nth-child(odd) {
    visibility: hidden;
  }
  .asking .lamps div,
  .settling .lamps div {
    animation-duration: 0.4s;
  }
  @keyframes lamp {
    50% {
      opacity: 0.3;
    }
  }
  .windows {
    position: relative;
    display: grid;
    grid-template-columns: repeat(3, 1fr);
    gap: 3%;
    padding: 3%;
    border-radius: clamp(14px, 5cqi, 24px);
    background: #0b0824;
    box-shadow: inset 0 4px 14px rgb(0 0 0 / 80%);
  }
  .window {
    position: relative;
    overflow: hidden;
    aspect-ratio: 1 / 2.1;
    border-radius: clamp(8px, 3cqi, 16px);
    background: linear-gradient(180deg, #cfc8ef, #ffffff 35%, #ffffff 65%, #cfc8ef);
  }
  .window::after {
    position: absolute;
    inset: 0;
    background: linear-gradient(180deg, rgb(11 8 36 / 78%), transparent 30%, transparent 70%, rgb(11 8 36 / 78%));
    content: '';
  }
  /* Three cells fill a window. */
  .strip {
    display: grid;
    grid-auto-rows: calc(100% / 3);
    height: 100%;
    will-change: transform;
  }
  .cell {
    display: grid;
    place-items: center;
    min-height: 0;
  }
  .symbol {
    width: 76%;
    max-height: 92%;
  }
  .again {
    fill: #1b1350;
    stroke: #fff;
    stroke-width: 3px;
    paint-order: stroke;
    font: 800 15px system-ui;
    text-anchor: end;
  }
  .odds li {
    grid-template-columns: 72px minmax(0, 1fr) auto;
  }
  .three-of {
    display: flex;
    align-items: center;
    justify-content: center;
  }
  .three-of .symbol {
    width: 24px;
  }
  @container (max-width: 400px) {
    .odds li {
      grid-template-columns: 54px minmax(0, 1fr) auto;
      column-gap: 8px;
    }
    .three-of .symbol {
      width: 18px;
    }
  }
  .fast .symbol {
    filter: blur(1.5px);
    opacity: 0.85;
  }
  .line {
    position: absolute;
    inset: 50% 0 auto;
    height: 3px;
    margin-top: -1.5px;
    background: linear-gradient(90deg, var(--_accent-2), transparent 12%, transparent 88%, var(--_accent-2));
  }
  .three .line {
    inset: 34% 1.5%;
    height: auto;
    margin: 0;
    border: 3px solid var(--_epic);
    border-radius: 14px;
    background: none;
    box-shadow:
      0 0 22px var(--_epic),
      inset 0 0 22px color-mix(in oklab, var(--_epic) 55%, transparent);
  }
  /* A glow that pulses. Only its opacity is animated, so nothing is painted again. */
  .three .windows::after {
    position: absolute;
    inset: 0;
    border-radius: inherit;
    box-shadow: 0 0 0 4px var(--_epic), 0 0 30px var(--_epic);
    content: '';
    opacity: 0;
    animation: shine 0.9s ease-in-out infinite;
  }
  @keyframes shine {
    50% {
      opacity: 1;
    }
  }
  /* Never on the winning row: 26.8 % of the width is below it, and a taller prize extends below the machine. */
  .machine + canvas + .prize {
    position: relative;
    align-self: start;
    margin-block-start: -26%;
  }
`
