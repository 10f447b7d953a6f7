import { css } from 'lit'
import { barStyles } from './reward-styles.ts'

export const goalsStyles = css`
  ${barStyles}
  .goals {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 290px), 1fr));
    gap: 14px;
    margin-top: 16px;
  }
  .gifts {
    display: grid;
    gap: 10px;
    margin-top: 16px;
  }
  .gift {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 10px 14px;
    padding: 12px 16px;
    border: 1px solid color-mix(in oklab, var(--_accent) 45%, var(--_line));
    border-radius: calc(var(--_radius) * 0.8);
    background: linear-gradient(100deg, color-mix(in oklab, var(--_accent) 14%, var(--_surface)), var(--_surface) 70%);
  }
  .gift > svg {
    flex: none;
    width: 40px;
    height: 40px;
  }
  .gift > div {
    display: grid;
    flex: 1 1 150px;
    gap: 2px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .gift .note {
    color: var(--_soft);
    font-size: 0.88rem;
  }
  .gift button {
    margin-inline-start: auto;
  }
  .goals.alone {
    margin-top: 0;
  }
  .goal {
    position: relative;
    display: flex;
    flex-direction: column;
    gap: 12px;
    min-width: 0;
    padding: 16px;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) * 0.8);
    background: linear-gradient(160deg, color-mix(in oklab, var(--_accent) 9%, var(--_surface)), var(--_surface) 55%);
  }
  .goal.claimable {
    border-color: var(--_accent);
    background: linear-gradient(160deg, color-mix(in oklab, var(--_accent) 22%, var(--_surface)), var(--_surface) 75%);
  }
  .goal.completed:not(.claimable) {
    background: linear-gradient(160deg, color-mix(in oklab, var(--_good) 12%, var(--_surface)), var(--_surface) 55%);
  }
  .goal.locked,
  .goal.missed {
    background: var(--_raised);
  }
  .top {
    position: relative;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 14px;
  }
  .locked .top {
    align-items: flex-start;
  }
  /* Large texts go below the picture. */
  .top > div {
    flex: 1 1 8rem;
    min-width: 0;
  }
  .emblem {
    width: 60px;
    height: 60px;
    overflow: hidden;
    border-radius: 18px;
  }
  .locked .emblem,
  .missed .emblem {
    filter: grayscale(0.85);
    opacity: 0.75;
  }
  .lock {
    position: absolute;
    inset-block-start: 38px;
    inset-inline-start: 40px;
    display: grid;
    place-items: center;
    width: 26px;
    height: 26px;
    border: 1px solid var(--_line);
    border-radius: 50%;
    background: var(--_surface);
    color: var(--_soft);
  }
  .lock svg,
  .note svg {
    flex: none;
    width: 16px;
    height: 16px;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  h3 {
    margin: 0;
    font-size: 1.06rem;
    font-weight: 700;
    line-height: 1.25;
    letter-spacing: -0.01em;
    overflow-wrap: anywhere;
  }
  h3:focus-visible {
    outline: none;
  }
  .goal:has(h3:focus-visible) {
    outline: 3px solid var(--_accent-2);
    outline-offset: 2px;
  }
  .state {
    display: flex;
    align-items: center;
    gap: 6px;
    margin-top: 2px;
    color: var(--_soft);
    font-size: 0.84rem;
    font-weight: 600;
  }
  .state::before {
    width: 8px;
    height: 8px;
    flex: none;
    border: 2px solid currentColor;
    border-radius: 50%;
    content: '';
  }
  .in_progress .state {
    color: var(--_accent);
  }
  .in_progress .state::before {
    background: linear-gradient(90deg, currentColor 50%, transparent 50%);
  }
  .completed .state {
    color: var(--_good);
  }
  .completed .state::before {
    background: currentColor;
  }
  .soft {
    overflow-wrap: anywhere;
  }
  .label {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 0 12px;
    margin-bottom: 6px;
    font-size: 0.92rem;
  }
  .label span {
    overflow-wrap: break-word;
    max-width: 100%;
  }
  .label .general {
    color: var(--_soft);
  }
  .label b {
    max-width: 100%;
    margin-inline-start: auto;
    font-weight: 650;
    text-align: end;
  }
  .completed .fill {
    background: var(--_good);
  }
  .missed .fill,
  .locked .fill {
    background: var(--_soft);
  }
  .stamps {
    container-type: inline-size;
    display: grid;
    grid-template-columns: repeat(var(--_columns), minmax(0, 1fr));
    gap: 8px 4px;
    padding: 12px;
    border: 1.5px dashed var(--_line);
    border-radius: calc(var(--_radius) * 0.6);
    background: var(--_surface);
    justify-items: center;
  }
  .stamp {
    display: grid;
    place-items: center;
    width: min(100%, 42px);
    aspect-ratio: 1;
    border: 1.5px dashed color-mix(in oklab, var(--_soft) 60%, transparent);
    border-radius: 50%;
    color: var(--_soft);
    font-size: min(0.84rem, 40cqi / var(--_columns));
    font-weight: 650;
  }
  .stamp svg {
    width: 52%;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .stamp.last {
    border: 1.5px solid var(--_accent);
    color: var(--_accent);
  }
  .stamp.got {
    border: 0;
    background:
      radial-gradient(circle at 50% 50%, transparent 55%, rgb(255 255 255 / 38%) 56% 62%, transparent 63%),
      linear-gradient(135deg, var(--_accent), color-mix(in oklab, var(--_accent) 55%, var(--_accent-2)));
    color: var(--_on-accent);
    rotate: -7deg;
    animation: stamp 0.45s cubic-bezier(0.2, 1.6, 0.4, 1) backwards;
  }
  .stamp.got:nth-child(even) {
    rotate: 6deg;
  }
  .stamp.got:nth-child(3n) {
    rotate: -3deg;
  }
  .stamp.got svg {
    stroke-width: 2.8;
  }
  .completed .stamp.got {
    background:
      radial-gradient(circle at 50% 50%, transparent 55%, rgb(255 255 255 / 38%) 56% 62%, transparent 63%),
      var(--_good);
    color: var(--_surface);
  }
  .missed .stamp.got,
  .locked .stamp.got {
    background: var(--_soft);
    color: var(--_surface);
  }
  @keyframes stamp {
    from {
      opacity: 0;
      transform: scale(1.9);
    }
  }
  .notes {
    display: grid;
    gap: 5px;
    color: var(--_soft);
    font-size: 0.88rem;
  }
  .notes:not(:has(p)),
  .foot:empty {
    display: none;
  }
  .note {
    display: flex;
    gap: 7px;
    min-width: 0;
  }
  .note span {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .note svg {
    margin-top: 0.16em;
  }
  .when {
    color: var(--_soft);
    font-size: 0.88rem;
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 10px;
    margin-top: auto;
  }
  .foot :is(button, .button) {
    margin-inline-start: auto;
  }
  .rewards {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    min-width: 0;
  }
  .rewards li {
    display: flex;
    align-items: center;
    gap: 6px;
    min-width: 0;
    padding: 3px 12px 3px 4px;
    border: 1px solid var(--_line);
    border-radius: 18px;
    background: var(--_surface);
    font-size: 0.9rem;
    font-weight: 650;
  }
  .rewards .held {
    border-style: dashed;
    border-color: color-mix(in oklab, var(--_soft) 70%, transparent);
  }
  .rewards span:last-child {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .rewards li > svg,
  .rewards .medal {
    width: 26px;
    height: 26px;
    flex: none;
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
    height: 230px;
    border-radius: calc(var(--_radius) * 0.8);
  }
`
