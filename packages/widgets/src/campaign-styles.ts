import { css } from 'lit'

export const campaignStyles = css`
  .card {
    padding: 0;
  }
  .card[aria-busy],
  .card > .notice {
    padding: 24px;
  }
  header {
    padding: clamp(22px, 7cqi, 40px) clamp(18px, 6cqi, 36px);
    background:
      radial-gradient(60% 120% at 90% 0%, var(--_deep, #1fb6cf) 0%, transparent 70%),
      radial-gradient(80% 140% at 20% 120%, var(--_deep, #b8327f) 0%, transparent 60%),
      linear-gradient(120deg, var(--_deep, #4326c9), var(--_deep, #5b33dd));
    color: #fff;
  }
  header .title {
    font-size: clamp(1.6rem, 7cqi, 2.4rem);
    font-weight: 800;
    text-shadow: 0 1px 12px rgb(20 0 70 / 35%);
  }
  header p {
    max-width: 60ch;
    margin-top: 8px;
    text-shadow: 0 1px 8px rgb(20 0 70 / 60%);
  }
  header .state {
    display: inline-block;
    padding: 4px 12px;
    border-radius: 999px;
    background: rgb(18 6 60 / 72%);
    font-size: 0.88rem;
    font-weight: 650;
  }
  form {
    padding: 20px clamp(18px, 6cqi, 36px) 0;
  }
  label {
    font-weight: 650;
  }
  .field {
    display: flex;
    gap: 10px;
    margin-top: 6px;
  }
  input {
    flex: 1;
    min-width: 0;
    min-height: 48px;
    padding: 8px 16px;
    border: 1.5px solid var(--_soft);
    border-radius: calc(var(--_radius) * 0.6);
    background: var(--_surface);
    color: inherit;
    font: 600 1.05rem ui-monospace, Menlo, Consolas, monospace;
    letter-spacing: 0.06em;
    text-transform: uppercase;
  }
  .said {
    min-height: 1.5em;
    margin-top: 6px;
  }
  .right {
    color: var(--_good);
    font-weight: 650;
  }
  .wrong {
    color: var(--_bad);
  }
  .columns {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 240px), 1fr));
    gap: 24px 36px;
    padding: 20px clamp(18px, 6cqi, 36px) clamp(22px, 6cqi, 36px);
  }
  h3 {
    margin: 0 0 8px;
    color: var(--_soft);
    font-size: 0.8rem;
    font-weight: 650;
    letter-spacing: 0.08em;
    text-transform: uppercase;
  }
  .prizes li {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 2px 12px;
    padding-block: 8px;
  }
  .worth {
    color: var(--_accent);
    font-weight: 700;
  }
  small {
    color: var(--_soft);
    font-size: 0.84rem;
  }
  progress {
    grid-column: 1 / -1;
    width: 100%;
    height: 6px;
    border: 0;
    border-radius: 3px;
    overflow: hidden;
    appearance: none;
    background: var(--_raised);
  }
  progress::-webkit-progress-bar {
    background: var(--_raised);
  }
  progress::-webkit-progress-value {
    background: linear-gradient(90deg, var(--_accent), var(--_accent-2));
  }
  progress::-moz-progress-bar {
    background: var(--_accent);
  }
  .ways li {
    display: flex;
    justify-content: space-between;
    gap: 12px;
    padding-block: 8px;
    border-bottom: 1px solid var(--_line);
  }
  .ways li:last-child {
    border: 0;
  }
  .ways span {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .rank {
    display: inline-block;
    min-width: 1.6em;
    color: var(--_soft);
  }
  .head-bone {
    height: 120px;
  }
`
