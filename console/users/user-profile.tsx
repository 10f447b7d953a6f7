import { Group, List, Paper, SimpleGrid, Text, Title } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import type { UserQuery } from '../generated/types.ts'
import { Facts } from '../parts/facts.tsx'
import { humanized, timeText } from '../parts/formats.ts'
import { Status } from '../parts/status.tsx'
import { usersTexts as texts } from '../texts/users-texts.ts'

type Shown = NonNullable<UserQuery['user']>

/** The goal and the offer that a recommendation leads to. */
const LeadsTo = ({ of: { goal, offer } }: { of: Shown['journey']['recommendations'][number] }) => (
  <>
    {goal && (
      <Group gap="xs">
        <PageLink page="goals" id={goal.goal.id} size="sm">
          {goal.goal.name}
        </PageLink>
        <Status of={goal.state} />
      </Group>
    )}
    {offer && <Text size="sm">{texts.offered(offer.title)}</Text>}
  </>
)

/** Who the user is, and what the rules recommend. */
export const UserProfile = ({ of }: { of: Shown }) => {
  const { journey } = of
  const facts = [
    [texts.user, of.externalId],
    [texts.email, of.email],
    [texts.country, journey.country],
    [texts.device, journey.device && humanized(journey.device)],
    [texts.source, journey.source],
    [texts.since, timeText(of.createdAt)],
    [texts.lastSeen, journey.lastSeenAt && timeText(journey.lastSeenAt)],
    [texts.reason, humanized(journey.stageReason)],
  ] as const
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} mb="md">
      <Paper withBorder p="md">
        <Title order={2} size="h5" mb="xs">
          {texts.profile}
        </Title>
        <Facts of={facts} />
      </Paper>
      <Paper withBorder p="md">
        <Title order={2} size="h5" mb="xs">
          {texts.recommendations}
        </Title>
        {journey.recommendations.length === 0 ? (
          <Text size="sm" c="dimmed">
            {texts.nothingYet}
          </Text>
        ) : (
          <List size="sm" spacing={4}>
            {journey.recommendations.map((recommendation) => (
              <List.Item key={recommendation.name}>
                <Text size="sm" fw={600} span>
                  {recommendation.name}
                </Text>{' '}
                <Text size="sm" c="dimmed" span>
                  {recommendation.reason}
                </Text>
                <LeadsTo of={recommendation} />
              </List.Item>
            ))}
          </List>
        )}
      </Paper>
    </SimpleGrid>
  )
}
