import { Group, Paper, Text } from '@mantine/core'
import { numberText, shortNumber, wholePercentText } from './formats.ts'
import { IconTrendingDown, IconTrendingUp } from './icons.ts'
import classes from './stat-card.module.css'

/** Figures from this value on are abbreviated. */
const long = 1_000_000

const figureText = (value: number) =>
  Math.abs(value) < long ? numberText(value) : shortNumber(value)

/** A figure, and how what is over of it has changed against an earlier period. */
export const StatCard = (props: {
  label: string
  value: number | string
  /** What the earlier value is compared with: the finished days. The value itself if left out. */
  finished?: number | undefined
  /** Null if the earlier period has no data. */
  before?: number | null | undefined
  beforeLabel?: string
}) => {
  const { label, value, before, beforeLabel } = props
  const finished = props.finished ?? value
  const change = typeof finished === 'number' && before ? finished / before - 1 : null
  const Trend = change !== null && change < 0 ? IconTrendingDown : IconTrendingUp
  return (
    <Paper withBorder p="md" className={classes['card'] ?? ''}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={28} fw={650} lh={1.3}>
        {typeof value === 'number' ? figureText(value) : value}
      </Text>
      {change !== null && (
        <Group gap={4} wrap="nowrap" align="flex-start" c={change < 0 ? 'red' : 'teal'}>
          <Trend size={16} aria-hidden style={{ flex: 'none' }} />
          <Text size="xs">
            {change > 0 ? '+' : ''}
            {wholePercentText(change)} {beforeLabel}
          </Text>
        </Group>
      )}
    </Paper>
  )
}
