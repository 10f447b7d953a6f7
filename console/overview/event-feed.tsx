import { Badge, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { PageLink } from '../client/link.tsx'
import { useLive } from '../client/live.ts'
import { eventFeed } from '../generated/overview.ts'
import type { EventFeedSubscription } from '../generated/types.ts'
import { mainFactsOf, type PayloadFact, valueText } from '../parts/event-facts.ts'
import { Panel } from '../parts/panel.tsx'
import { RelativeTime } from '../parts/when.tsx'
import { overviewTexts as texts } from '../texts/overview-texts.ts'

type FeedEvent = EventFeedSubscription['eventPublished']

const maxShown = 14

/** What concerns users. The arena has pages of its own. */
export const feedNames = [
  'points.*',
  'game.played',
  'campaign.*',
  'goal.*',
  'grant.*',
  'streak.*',
  'journey.*',
  'lottery.*',
]

/** Numbers are shown with their label; other values are clear without one. */
const factText = (fact: PayloadFact) =>
  typeof fact.value === 'number' ? `${fact.label} ${valueText(fact)}` : valueText(fact)

const summaryOf = ({ payload }: FeedEvent) => mainFactsOf(payload).map(factText).join(' · ')

/** The last events, and new ones as they happen. */
export const EventFeed = ({ last }: { last: readonly FeedEvent[] }) => {
  const [fresh, setFresh] = useState<readonly FeedEvent[]>([])
  useLive(eventFeed, { names: feedNames }, ({ eventPublished }) =>
    setFresh((before) => [eventPublished, ...before].slice(0, maxShown)),
  )
  const known = new Set(fresh.map(({ id }) => id))
  const older = [...last].reverse().filter(({ id }) => !known.has(id))
  return (
    <Panel
      title={texts.feed}
      hint={texts.feedHint}
      actions={
        <PageLink page="events" size="sm">
          {texts.allEvents}
        </PageLink>
      }
    >
      <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {[...fresh, ...older].slice(0, maxShown).map((event) => (
          <li key={event.id}>
            <Group justify="space-between" gap="xs" wrap="nowrap">
              <Badge color="gray" ff="monospace">
                {event.name}
              </Badge>
              <Text size="xs" c="dimmed" component="div">
                <RelativeTime at={event.occurredAt} />
              </Text>
            </Group>
            <Text size="xs" c="dimmed" truncate pl={10} pt={2}>
              {summaryOf(event)}
            </Text>
          </li>
        ))}
      </Stack>
    </Panel>
  )
}
