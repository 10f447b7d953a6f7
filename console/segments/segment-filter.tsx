import { Badge, Group } from '@mantine/core'
import type { SegmentFilterFragment } from '../generated/types.ts'
import { humanized, numberText, timeText } from '../parts/formats.ts'
import { segmentsTexts as texts } from '../texts/segments-texts.ts'
import { type Bounds, isOfTimes, type RangeName, rangesOf } from './segment-range.ts'

const rangeText = (name: RangeName, { from, to }: Bounds) => {
  const [low, high] = [from, to].map((bound) => {
    if (bound === '') return null
    return isOfTimes(name) ? timeText(String(bound)) : numberText(Number(bound))
  })
  if (isOfTimes(name))
    return [low && texts.after(low), high && texts.before(high)].filter(Boolean).join(', ')
  return [low && texts.atLeast(low), high && texts.atMost(high)].filter(Boolean).join(', ')
}

const conditionsOf = (of: SegmentFilterFragment) =>
  [
    [texts.stage, of.stage && humanized(of.stage)],
    [texts.engagementTier, of.engagementTier && humanized(of.engagementTier)],
    [texts.country, of.country],
    [texts.device, of.device && humanized(of.device)],
    [texts.source, of.source],
    [of.tag, of.tag && (of.tagValue ?? texts.any)],
    ...Object.entries(rangesOf(of)).map(([name, bounds]) => [
      texts.ranges[name as RangeName],
      rangeText(name as RangeName, bounds),
    ]),
  ].filter(([, value]) => value)

/** The conditions of a segment. All of them hold for its users. */
export const SegmentFilter = ({ of }: { of: SegmentFilterFragment }) => (
  <Group gap={6}>
    {conditionsOf(of).map(([label, value]) => (
      <Badge key={label} variant="default" tt="none" fw={500}>
        {label}: {value}
      </Badge>
    ))}
  </Group>
)
