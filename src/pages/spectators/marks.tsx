/** Small graphics: the mosaic of an agent, badges, icons, the chart of a rating. */
import type { Slot } from '../../../packages/client/src/match-state.ts'
import { mosaicOf, mosaicSize } from '../../../packages/widgets/src/mosaic.ts'
import { sideClass, tierName } from './page-words.ts'
import type { Agent, Tier } from './wire.ts'

export const Avatar = ({ agent, size }: { agent: Pick<Agent, 'agentId'>; size: number }) => {
  const { background, tiles } = mosaicOf(agent.agentId)
  return (
    <svg
      class="avatar"
      viewBox={`0 0 ${mosaicSize} ${mosaicSize}`}
      width={size}
      height={size}
      aria-hidden="true"
    >
      <rect width={mosaicSize} height={mosaicSize} fill={background} />
      {tiles.map(({ d, fill }) => (
        <path key={d} d={d} fill={fill} />
      ))}
    </svg>
  )
}

/** The logo: four tiles. */
export const Sign = () => (
  <svg class="sign" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path class="sign-a" d="M1 1h10v10h-10z" />
    <path class="sign-b" d="M13 1a10 10 0 0 1 10 10h-10z" />
    <path class="sign-b" d="M1 13h10v10z" />
    <path class="sign-a" d="M13 13h10v10h-10z" />
  </svg>
)

const steps: Record<Tier, number> = { ROOKIE: 1, CONTENDER: 2, CHAMPION: 3, LEGEND: 4 }

/** A tier as its name, with one tile per level. */
export const TierBadge = ({ tier }: { tier: Tier }) => (
  <span class={`tier tier-${tier.toLowerCase()}`}>
    <svg viewBox="0 0 22 10" width="22" height="10" aria-hidden="true">
      {[0, 1, 2, 3].map((i) => (
        <rect
          key={i}
          class={i < steps[tier] ? 'on' : 'off'}
          x={i * 6}
          y={8 - i * 2}
          width="4"
          height={2 + i * 2}
          rx="1"
        />
      ))}
    </svg>
    {tierName(tier)}
  </span>
)

const Eye = () => (
  <svg class="icon" viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
    <path d="M1.5 10S4.5 4.2 10 4.2 18.500 10 18.500 10 15.500 15.800 10 15.800 1.500 10 1.500 10z" />
    <circle cx="10" cy="10" r="2.600" />
  </svg>
)

export const Spectators = ({ count }: { count: number }) => (
  <span class="spectators">
    <Eye />
    <span>
      {String(count)} <span class="unseen">watching</span>
    </span>
  </span>
)

/** One tile per win that is required, filled for each win so far. */
export const Pips = ({ wins, needed, slot }: { wins: number; needed: number; slot: Slot }) => (
  <span class={`pips ${sideClass(slot)}`} aria-hidden="true">
    {Array.from({ length: Math.max(needed, 1) }, (_, i) => (
      <i key={i} class={i < wins ? 'on' : ''} />
    ))}
  </span>
)

const width = 92
const height = 30
/** The smallest range of ratings that fills the whole height. */
const leastRange = 48

/** The chart of a rating. */
export const Sparkline = ({ trend }: { trend: number[] }) => {
  const first = trend[0]
  const last = trend.at(-1)
  if (first === undefined || last === undefined || trend.length < 2)
    return <span class="no-trend">—</span>
  const [low, high] = [Math.min(...trend), Math.max(...trend)]
  const range = Math.max(high - low, leastRange)
  const middle = (low + high) / 2
  const points = trend.map((value, i): [number, number] => [
    3 + (i * (width - 8)) / (trend.length - 1),
    height / 2 - ((value - middle) / range) * (height - 8),
  ])
  const line = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')
  const [x, y] = points.at(-1) as [number, number]
  return (
    <svg
      class={`spark ${last >= first ? 'up' : 'down'}`}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={`From ${first} to ${last} over ${trend.length} matches`}
    >
      <path class="area" d={`M${line}L${x.toFixed(1)} ${height}L3 ${height}z`} />
      <path class="line" d={`M${line}`} />
      <circle cx={x.toFixed(1)} cy={y.toFixed(1)} r="3" />
    </svg>
  )
}
