import { css } from 'lit'
import { rewardArtStyles } from './shop-styles.ts'

export const rewardsStyles = css`
  ${rewardArtStyles}
  .title + .said {
    margin-top: 8px;
  }
  .grants {
    display: grid;
    gap: 12px;
    margin-top: 16px;
  }
  .grant {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    gap: 10px 14px;
    min-width: 0;
    padding: 14px;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) * 0.8);
    background: var(--_surface);
  }
  .claimable {
    border-color: var(--_accent);
    background: linear-gradient(100deg, color-mix(in oklab, var(--_accent) 16%, var(--_surface)), var(--_surface) 70%);
  }
  .grant .art {
    flex: none;
    width: 64px;
    height: 64px;
    border-radius: 18px;
  }
  .grant .art > .medal,
  .grant .art > svg + svg {
    width: 62%;
  }
  .over .art {
    filter: grayscale(0.9);
    opacity: 0.6;
  }
  .grant .text {
    flex: 1 1 8rem;
    gap: 4px;
  }
  .grant > button {
    align-self: center;
    margin-inline-start: auto;
  }
  .state:not(:has(p)) {
    display: none;
  }
  .grant small {
    color: var(--_soft);
    font-size: 0.84rem;
  }
  .message {
    padding: 8px 12px;
    border-inline-start: 3px solid var(--_accent);
    border-radius: 4px;
    background: var(--_raised);
    font-size: 0.94rem;
  }
  .code {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    margin-block: 4px;
  }
  .code .said {
    flex: 1 1 100%;
  }
  code {
    flex: 1 1 auto;
    min-width: 0;
    padding: 9px 14px;
    border: 1.5px dashed color-mix(in oklab, var(--_accent) 60%, var(--_line));
    border-radius: calc(var(--_radius) * 0.5);
    background: var(--_raised);
    font: 650 1.06rem / 1.4 ui-monospace, 'SF Mono', Menlo, Consolas, monospace;
    letter-spacing: 0.04em;
    overflow-wrap: anywhere;
    user-select: all;
  }
  @container (min-width: 760px) {
    .grants {
      grid-template-columns: repeat(2, minmax(0, 1fr));
      align-items: start;
    }
  }
  .bone.line {
    height: 92px;
    border-radius: calc(var(--_radius) * 0.8);
  }
`
