import { css } from 'lit'

export const lotteryStyles = css`
  .card {
    padding: 0;
  }
  .card[aria-busy] {
    padding: 24px;
  }
  .card > .notice {
    padding: 24px;
  }
  header {
    padding: clamp(22px, 6cqi, 36px);
    background:
      radial-gradient(70% 130% at 85% 0%, var(--_deep, #d98a0c) 0%, transparent 65%),
      linear-gradient(125deg, var(--_deep, #173f7a), var(--_deep, #0c5a63) 60%, var(--_deep, #0a6a4c));
    color: #fff;
    text-align: center;
    text-shadow: 0 1px 10px rgb(0 20 40 / 60%);
  }
  .pot {
    display: grid;
    margin-block: 10px 2px;
  }
  .pot small {
    font-size: 0.84rem;
    font-weight: 650;
    letter-spacing: 0.1em;
    text-transform: uppercase;
  }
  .pot b {
    font-size: clamp(2.2rem, 12cqi, 3.8rem);
    font-weight: 850;
    line-height: 1.1;
    letter-spacing: -0.02em;
  }
  .body {
    display: grid;
    gap: 26px;
    padding: clamp(18px, 6cqi, 32px);
  }
  h3 {
    margin: 0 0 10px;
    color: var(--_soft);
    font-size: 0.8rem;
    font-weight: 650;
    letter-spacing: 0.08em;
    text-align: center;
    text-transform: uppercase;
  }
  .countdown {
    display: grid;
    grid-template-columns: repeat(4, minmax(0, 88px));
    justify-content: center;
    gap: 8px;
  }
  .unit {
    display: grid;
    padding: 10px 4px;
    border-radius: 14px;
    background: var(--_raised);
    text-align: center;
  }
  .unit b {
    font-size: 1.6rem;
    line-height: 1.15;
  }
  .unit small,
  .tiers small {
    color: var(--_soft);
    font-size: 0.8rem;
  }
  .closed {
    text-align: center;
    font-weight: 650;
  }
  .last {
    text-align: center;
  }
  .balls {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 8px;
    margin-bottom: 10px;
  }
  .ball {
    display: grid;
    place-items: center;
    width: 46px;
    height: 46px;
    border-radius: 50%;
    background: radial-gradient(circle at 35% 28%, #ffffff, #eef0fb 45%, #c4c9e6);
    box-shadow: 0 4px 10px rgb(20 20 60 / 22%);
    color: #1b1a3a;
    font-size: 1.1rem;
    font-weight: 800;
  }
  .ball.bonus {
    background: radial-gradient(circle at 35% 28%, #fff6da, #ffd166 50%, #f0a92b);
  }
  .tiers li {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 12px;
    padding-block: 9px;
    border-bottom: 1px solid var(--_line);
  }
  .tiers li:last-child {
    border: 0;
  }
  .tiers small {
    display: block;
  }
  .pot-bone {
    height: 150px;
  }
  .bone.line {
    height: 36px;
    margin-top: 12px;
  }
  @container (min-width: 680px) {
    .body {
      grid-template-columns: 1fr 1fr;
      align-items: start;
    }
    .body > :last-child:nth-child(odd) {
      grid-column: 1 / -1;
    }
  }
`
