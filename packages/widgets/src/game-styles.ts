import { css } from 'lit'

/** Games are dark unless the page says otherwise. */
export const gameStyles = css`
  :host {
    color-scheme: dark;
  }
  :host([theme='auto']) {
    color-scheme: inherit;
  }
  .card {
    background:
      radial-gradient(90% 55% at 50% 0%, color-mix(in oklab, var(--_accent) 34%, transparent), transparent 75%),
      radial-gradient(80% 50% at 100% 100%, color-mix(in oklab, var(--_accent-2) 15%, transparent), transparent 70%),
      var(--_surface);
  }
  .game {
    display: grid;
    gap: clamp(14px, 4cqi, 22px);
    grid-template-columns: minmax(0, 1fr);
  }
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    justify-content: space-between;
    gap: 8px 12px;
  }
  header > :first-child {
    flex: 1 1 8rem;
    min-width: 0;
  }
  header .title {
    font-size: clamp(1.25rem, 5cqi, 1.75rem);
  }
  header .soft {
    margin-top: 4px;
    font-size: 0.94rem;
  }
  .balance {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    flex: none;
    padding: 5px 14px 5px 6px;
    border: 1px solid var(--_line);
    border-radius: 999px;
    background: color-mix(in oklab, var(--_surface) 70%, transparent);
  }
  .balance svg {
    width: 24px;
    height: 24px;
  }
  .stage {
    position: relative;
    display: grid;
    place-items: center;
    width: 100%;
    max-width: var(--tessera-stage-size, 460px);
    margin-inline: auto;
  }
  .stage > canvas {
    position: absolute;
    inset: -12%;
    width: 124%;
    height: 124%;
    pointer-events: none;
    z-index: 3;
  }
  .prize {
    position: absolute;
    z-index: 2;
    display: grid;
    gap: 2px;
    max-width: 86%;
    padding: 14px 24px;
    border: 2px solid var(--_tier);
    border-radius: 18px;
    background: color-mix(in oklab, var(--_surface) 92%, transparent);
    box-shadow:
      0 0 0 6px color-mix(in oklab, var(--_tier) 18%, transparent),
      0 18px 50px rgb(0 0 0 / 45%);
    text-align: center;
    text-wrap: balance;
    animation: pop 0.5s cubic-bezier(0.2, 1.4, 0.4, 1) both;
  }
  .prize small {
    color: var(--_tier);
    font-size: 0.78rem;
    font-weight: 750;
    letter-spacing: 0.14em;
    text-transform: uppercase;
  }
  .prize b {
    font-size: clamp(1.1rem, 5.5cqi, 1.5rem);
    line-height: 1.2;
  }
  .prize.none {
    box-shadow: 0 18px 50px rgb(0 0 0 / 45%);
  }
  .prize.none b {
    font-size: 1.05rem;
    font-weight: 600;
  }
  .epic {
    --_tier: var(--_epic);
  }
  .rare {
    --_tier: var(--_rare);
  }
  .common {
    --_tier: var(--_common);
  }
  .none {
    --_tier: var(--_line);
  }
  @keyframes pop {
    from {
      opacity: 0;
      transform: scale(0.6) translateY(12px);
    }
  }
  .controls {
    display: grid;
    justify-items: center;
    gap: 10px;
  }
  .play {
    width: min(100%, 340px);
    min-height: 56px;
    border-radius: 999px;
    font-size: 1.125rem;
    background: linear-gradient(180deg, color-mix(in oklab, var(--_accent) 86%, white), var(--_accent));
    box-shadow:
      0 10px 30px -8px color-mix(in oklab, var(--_accent) 80%, transparent),
      inset 0 1px 0 rgb(255 255 255 / 45%);
  }
  .play[aria-disabled='true'] {
    background: var(--_raised);
    box-shadow: inset 0 0 0 1px var(--_line);
  }
  .note {
    min-height: 1.45em;
    color: var(--_soft);
    font-size: 0.94rem;
    text-align: center;
    text-wrap: balance;
  }
  .odds h3 {
    color: var(--_soft);
    font-size: 0.8rem;
    font-weight: 650;
    letter-spacing: 0.08em;
    text-transform: uppercase;
  }
  .odds ul {
    margin-top: 6px;
  }
  .odds li {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    align-items: center;
    gap: 2px 12px;
    padding: 9px 10px;
    border-radius: 12px;
  }
  .odds li.drawn {
    background: color-mix(in oklab, var(--_tier) 22%, transparent);
  }
  .odds li.none {
    --_tier: var(--_soft);
    color: var(--_soft);
  }
  .odds .what {
    overflow-wrap: anywhere;
  }
  .gem {
    width: 12px;
    height: 12px;
    border-radius: 3px;
    background: var(--_tier);
    transform: rotate(45deg);
  }
  .none .gem {
    background: transparent;
    border: 2px solid var(--_tier);
  }
  .hint {
    margin-top: 8px;
    color: var(--_soft);
    font-size: 0.84rem;
  }
  meter {
    grid-column: 2 / -1;
    width: 100%;
    height: 4px;
    appearance: none;
    border: 0;
    border-radius: 2px;
    background: var(--_line);
  }
  meter::-webkit-meter-inner-element {
    display: block;
  }
  meter::-webkit-meter-bar {
    height: 4px;
    border: 0;
    border-radius: 2px;
    background: var(--_line);
  }
  meter::-webkit-meter-optimum-value {
    border-radius: 2px;
    background: var(--_tier);
  }
  meter::-moz-meter-bar {
    border-radius: 2px;
    background: var(--_tier);
  }
  .bone.heading {
    width: 50%;
    height: 30px;
  }
  .bone.key {
    width: min(100%, 340px);
    height: 56px;
    border-radius: 999px;
  }
  .bone.entry {
    height: 30px;
    margin-top: 10px;
  }
  .bone.round {
    width: 100%;
    aspect-ratio: 1;
    border-radius: 50%;
  }
  .bone.square {
    width: 100%;
    aspect-ratio: 16 / 10;
    border-radius: 20px;
  }
  @container (max-width: 400px) {
    .prize {
      max-width: 100%;
      padding: 10px 14px;
    }
  }
  @container (min-width: 720px) {
    .game {
      grid-template-columns: minmax(0, 1.1fr) minmax(280px, 1fr);
      grid-template-rows: auto auto 1fr;
      column-gap: 40px;
      align-items: start;
    }
    .stage {
      grid-row: 1 / -1;
      align-self: center;
    }
    header,
    .controls,
    .odds {
      grid-column: 2;
    }
    header {
      order: -1;
    }
    .controls {
      justify-items: stretch;
    }
    .play {
      width: 100%;
    }
  }
`
