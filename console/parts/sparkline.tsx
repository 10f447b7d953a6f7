/** A line without axes, as wide as its place. What it shows stands beside it as text. */
export const Sparkline = ({
  values,
  height = 28,
}: {
  values: readonly number[]
  height?: number
}) => {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const points = values.map((value, n) => {
    const x = (n / Math.max(values.length - 1, 1)) * 100
    const y = high === low ? height / 2 : height - 1 - ((value - low) / (high - low)) * (height - 2)
    return `${x.toFixed(2)},${y.toFixed(2)}`
  })
  return (
    <svg
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      width="100%"
      height={height}
      aria-hidden
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--mantine-color-ember-6)"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
