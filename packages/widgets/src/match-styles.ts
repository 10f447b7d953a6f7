import { css } from 'lit'

export const matchStyles = css`
  :host {
    --_one: var(--tessera-side-1, light-dark(#5a3ff0, #a18fff));
    --_two: var(--tessera-side-2, light-dark(#c2410c, #ff9d5c));
  }
  .card {
    display: grid;
    gap: 18px;
    max-width: 560px;
    margin-inline: auto;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 8px;
    font-size: 0.92rem;
  }
  .state {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    font-weight: 700;
  }
  .state.in_progress::before {
    width: 9px;
    height: 9px;
    border-radius: 50%;
    background: var(--_bad);
    animation: pulse 1.4s ease-in-out infinite;
    content: '';
  }
  @keyframes pulse {
    50% {
      opacity: 0.25;
    }
  }
  .sides {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr);
    align-items: start;
    gap: 10px;
    text-align: center;
  }
  .side {
    display: grid;
    justify-items: center;
    gap: 2px;
    overflow-wrap: anywhere;
  }
  .side .avatar {
    width: 56px;
    height: 56px;
    margin-bottom: 6px;
    border-radius: 50%;
    box-shadow: 0 0 0 3px var(--_surface), 0 0 0 6px var(--_side);
  }
  .side small {
    color: var(--_soft);
  }
  .turn .avatar {
    animation: turn 1.2s ease-in-out infinite;
  }
  @keyframes turn {
    50% {
      box-shadow: 0 0 0 3px var(--_surface), 0 0 0 10px color-mix(in oklab, var(--_side) 50%, transparent);
    }
  }
  .s1 {
    --_side: var(--_one);
  }
  .s2 {
    --_side: var(--_two);
  }
  .score {
    padding-top: 8px;
    font-size: 2rem;
    font-weight: 800;
    line-height: 1.2;
  }
  .score i {
    margin-inline: 8px;
    color: var(--_soft);
    font-style: normal;
  }
  .board {
    display: grid;
    gap: 6px;
    width: min(100%, 300px);
    margin-inline: auto;
    padding: 12px;
    border-radius: 16px;
    background: var(--_raised);
  }
  .board.none {
    aspect-ratio: 1.2;
  }
  .line {
    display: grid;
    grid-auto-columns: 1fr;
    grid-auto-flow: column;
    gap: 6px;
  }
  .board i {
    position: relative;
    aspect-ratio: 1;
    border-radius: 10px;
    background: var(--_surface);
  }
  .discs i {
    border-radius: 50%;
  }
  .discs i[class]:not([class='']) {
    background: radial-gradient(circle at 35% 30%, color-mix(in oklab, var(--_side) 60%, white), var(--_side) 70%);
  }
  .marks .s1::before,
  .marks .s1::after {
    position: absolute;
    inset: 46% 14%;
    border-radius: 6px;
    background: var(--_one);
    transform: rotate(45deg);
    content: '';
  }
  .marks .s1::after {
    transform: rotate(-45deg);
  }
  .marks .s2::before {
    position: absolute;
    inset: 20%;
    border: clamp(6px, 2.4cqi, 10px) solid var(--_two);
    border-radius: 50%;
    content: '';
  }
  .hands {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 12px;
  }
  .hand {
    display: grid;
    place-items: center;
    min-height: 96px;
    border-radius: 16px;
    background: color-mix(in oklab, var(--_side) 18%, var(--_surface));
    font-size: 1.3rem;
    font-weight: 750;
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 4px 18px;
    min-height: 1.45em;
  }
  .foot b {
    color: var(--_text);
  }
  .bone.round {
    width: 56px;
    height: 56px;
    margin-inline: auto;
    border-radius: 50%;
  }
  .bone.field {
    height: 200px;
  }
`
