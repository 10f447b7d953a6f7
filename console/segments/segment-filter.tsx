import { Badge, Group } from '@mantine/core'
import type { SegmentFilterFragment } from '../generated/types.ts'
import { humanized } from '../parts/formats.ts'
import { segmentsTexts as texts } from '../texts/segments-texts.ts'

const conditionsOf = (of: SegmentFilterFragment) =>
  [
    [texts.stage, of.stage && humanized(of.stage)],
    [texts.engagementTier, of.engagementTier && humanized(of.engagementTier)],
    [texts.country, of.country],
    [texts.device, of.device && humanized(of.device)],
    [texts.source, of.source],
    [of.tag, of.tag && (of.tagValue ?? texts.any)],
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
