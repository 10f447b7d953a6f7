import { css } from 'lit'

export const wheelStyles = css`
  .wheel {
    position: relative;
    width: 100%;
    aspect-ratio: 1;
  }
  /* The shadow of the rim. A filter on the wheel would be computed again for each frame. */
  .wheel::before {
    position: absolute;
    inset: 1.2%;
    border-radius: 50%;
    box-shadow: 0 20px 56px rgb(0 0 0 / 42%);
    content: '';
  }
  .wheel > * {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
  }
  .disc {
    inset: 4.762%;
    width: 90.476%;
    height: 90.476%;
    will-change: transform;
  }
  .disc svg {
    display: block;
    width: 100%;
    height: 100%;
  }
  .band {
    fill: #0d0a20;
    stroke: color-mix(in oklab, var(--_accent) 55%, #1c1740);
    stroke-width: 22;
  }
  .bulbs {
    animation: twinkle 2.4s ease-in-out infinite;
  }
  .bulbs circle {
    fill: #fff1c2;
    filter: drop-shadow(0 0 5px #ffc857);
  }
  .b1 {
    animation-delay: -0.8s;
  }
  .b2 {
    animation-delay: -1.6s;
  }
  .asking .bulbs,
  .settling .bulbs {
    animation-duration: 0.6s;
  }
  .shown .bulbs {
    animation-duration: 1s;
  }
  @keyframes twinkle {
    50% {
      opacity: 0.28;
    }
  }
  .segment {
    fill: var(--_fill);
    stroke: #150f33;
    stroke-width: 2;
    transition: opacity 0.4s;
  }
  .c0 {
    --_fill: var(--tessera-wheel-1, #5b3ff2);
  }
  .c1 {
    --_fill: var(--tessera-wheel-2, #0b7a96);
  }
  .c2 {
    --_fill: var(--tessera-wheel-3, #c42f88);
  }
  .c3 {
    --_fill: var(--tessera-wheel-4, #2f57e0);
  }
  .c4 {
    --_fill: var(--tessera-wheel-5, #8a34d6);
  }
  .c5 {
    --_fill: var(--tessera-wheel-6, #0a7f6f);
  }
  .blank {
    --_fill: var(--tessera-wheel-none, #393460);
  }
  .label {
    fill: #fff;
    font-family: inherit;
    font-weight: 750;
    text-anchor: middle;
    transition: opacity 0.4s;
  }
  .label text {
    dominant-baseline: central;
  }
  .label.blank text {
    font-weight: 600;
  }
  .along {
    text-anchor: start;
  }
  .label > circle {
    fill: var(--_fill);
    stroke: #fff;
    stroke-width: 2;
  }
  .done .segment:not(.hit),
  .done .label:not(.hit) {
    opacity: 0.5;
  }
  .outline {
    fill: none;
    stroke: #fff;
    stroke-width: 4;
  }
  .swatch {
    display: grid;
    place-items: center;
    width: 22px;
    height: 22px;
    border-radius: 6px;
    background: var(--_fill);
    box-shadow: inset 0 0 0 1px rgb(255 255 255 / 32%);
    color: #fff;
    font-size: 0.78rem;
    font-weight: 750;
    line-height: 1;
  }
  .odds li {
    grid-template-columns: 22px minmax(0, 1fr) auto;
  }
  .odds .gem {
    justify-self: center;
  }
  .peg {
    fill: #efe9ff;
  }
  .hub {
    fill: #150f33;
    stroke: color-mix(in oklab, var(--_accent) 70%, white);
    stroke-width: 4;
  }
  .mark {
    fill: var(--_accent);
  }
  .mark.light {
    fill: #fff;
    opacity: 0.75;
  }
  .mark.dark {
    fill: #000;
    opacity: 0.35;
  }
  .pointer {
    transform-origin: 50% 3.81%;
    will-change: transform;
  }
  .pointer path {
    fill: #ffd166;
    stroke: #7a4a00;
    stroke-width: 1.5;
  }
  .pointer circle {
    fill: #7a4a00;
  }
  .wheel + canvas + .prize {
    inset-block-end: 3%;
  }
`
