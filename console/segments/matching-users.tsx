import { Alert, Text } from '@mantine/core'
import { usePage } from '../client/use-page.ts'
import { segmentMatches } from '../generated/segments.ts'
import type { CreateSegmentInput, UserFilter } from '../generated/types.ts'
import { countText } from '../parts/formats.ts'
import { IconUsers } from '../parts/icons.ts'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { segmentsTexts as texts } from '../texts/segments-texts.ts'

export type SegmentConditions = Omit<CreateSegmentInput, 'name'>

/** The same conditions as a filter of users. */
const usersFilterOf = ({
  stage,
  engagementTier: tier,
  country,
  device,
  source,
  userCreatedAt,
  userCreatedDaysAgo,
  ...others
}: SegmentConditions): UserFilter => ({
  ...others,
  ...(userCreatedAt && { createdAt: userCreatedAt }),
  ...(userCreatedDaysAgo && { createdDaysAgo: userCreatedDaysAgo }),
  ...(stage && { stages: [stage] }),
  ...(tier && { engagementTiers: [tier] }),
  ...(country && { countries: [country] }),
  ...(device && { devices: [device] }),
  ...(source && { sources: [source] }),
})

const Matches = ({ filter: conditions }: { filter: SegmentConditions }) => {
  const filter = usersFilterOf(conditions)
  const { data, error, isPlaceholderData } = usePage(segmentMatches, { filter })
  if (error) return <RefusalNotice error={error} />
  const found = data?.users
  const names = (found?.nodes ?? []).map(({ displayName, externalId }) => displayName ?? externalId)
  return (
    <Alert icon={<IconUsers />} variant="light" color="blue" role="status">
      <Text size="sm" fw={600} style={{ opacity: isPlaceholderData ? 0.5 : 1 }}>
        {found ? texts.matching(countText(found.totalCount)) : '…'}
      </Text>
      {names.length > 0 && (
        <Text size="sm" truncate>
          {texts.such(names.join(', '))}
        </Text>
      )}
    </Alert>
  )
}

/** How many users match the conditions while they are edited, and some of these users. */
export const MatchingUsers = ({ filter }: { filter: SegmentConditions }) =>
  Object.keys(filter).length === 0 ? (
    <Alert icon={<IconUsers />} variant="light" color="gray" role="status">
      {texts.everybody}
    </Alert>
  ) : (
    <Matches filter={filter} />
  )
