import { css } from 'lit'

export const boxesStyles = css`
  .stage {
    max-width: var(--tessera-stage-size, 520px);
  }
  .boxes {
    display: grid;
    grid-template-columns: repeat(var(--_columns, 3), minmax(0, 1fr));
    gap: clamp(4px, 2.5cqi, 18px);
    width: 100%;
    padding: 4% 3%;
    border-radius: clamp(18px, 6cqi, 30px);
    background:
      radial-gradient(70% 60% at 50% 100%, color-mix(in oklab, var(--_accent) 40%, transparent), transparent),
      light-dark(var(--_raised), color-mix(in oklab, var(--_surface) 78%, #000));
    box-shadow: inset 0 0 0 1px var(--_line);
  }
  .box {
    transition:
      opacity 0.4s,
      transform 0.16s;
  }
  .box svg {
    display: block;
    width: 100%;
    overflow: visible;
  }
  .c0 {
    --_box: var(--tessera-box-1, #6a4df5);
    --_bow: #ffd166;
  }
  .c1 {
    --_box: var(--tessera-box-2, #c43a8f);
    --_bow: #a7f3ff;
  }
  .c2 {
    --_box: var(--tessera-box-3, #0f8aa8);
    --_bow: #ffd166;
  }
  .c3 {
    --_box: var(--tessera-box-4, #2c5be0);
    --_bow: #ffb3da;
  }
  .front,
  .top {
    fill: var(--_box);
  }
  .back {
    fill: color-mix(in oklab, var(--_box) 35%, #000);
  }
  .shade {
    fill: rgb(0 0 0 / 16%);
  }
  .band,
  .bow {
    fill: var(--_bow);
  }
  .bow {
    stroke: rgb(0 0 0 / 20%);
    stroke-width: 1.5;
  }
  .box text {
    fill: #2a1d00;
    font-size: 15px;
    font-weight: 800;
    text-anchor: middle;
    dominant-baseline: central;
  }
  .lid {
    transform-box: fill-box;
    transform-origin: 0% 100%;
  }
  .lit {
    transform: translateY(-6%) scale(1.04);
    filter: drop-shadow(0 0 14px var(--_accent-2)) brightness(1.25);
  }
  .done .box:not(.open) {
    opacity: 0.38;
  }
  .open {
    position: relative;
    z-index: 1;
  }
  .open .lid {
    transform: translate(-8px, -14px) rotate(-24deg);
    animation: lift 0.5s cubic-bezier(0.2, 1.5, 0.4, 1);
  }
  @keyframes lift {
    from {
      transform: none;
    }
  }
  .beam {
    fill: var(--_tier);
    opacity: 0.4;
    animation: beam 1.4s ease-in-out infinite;
  }
  @keyframes beam {
    50% {
      opacity: 0.7;
    }
  }
  .content {
    animation: rise 0.7s 0.15s cubic-bezier(0.2, 1.3, 0.4, 1) both;
  }
  @keyframes rise {
    from {
      transform: translateY(40px);
    }
  }
  .odds li {
    grid-template-columns: 24px minmax(0, 1fr) auto;
  }
  .odds .gem {
    justify-self: center;
  }
  .art {
    width: 24px;
  }
  /* The prize never covers the open box. */
  .boxes + canvas + .prize {
    inset-block-end: -8px;
  }
  .boxes.low + canvas + .prize {
    inset-block: -8px auto;
  }
`
