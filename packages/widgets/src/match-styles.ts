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
  .place {
    --tile: var(--_line);
    --stage: var(--_surface);
    --stage-ink: var(--_text);
    --stage-soft: var(--_soft);
    --stage-line: var(--_line);
    --stage-one: var(--_one);
    --stage-two: var(--_two);
    min-height: 200px;
  }
  .fit {
    display: grid;
    justify-items: center;
  }
  /* What a game says of a hidden move is English. */
  .showing:not(.open) figcaption {
    visibility: hidden;
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
