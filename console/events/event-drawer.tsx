import { Drawer, Loader, Stack, Text, Title } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { oneEvent } from '../generated/events.ts'
import { CopiedText, jsonText } from '../parts/copied-text.tsx'
import { factsOf, isUser, valueText } from '../parts/event-facts.ts'
import { Facts } from '../parts/facts.tsx'
import { timeText } from '../parts/formats.ts'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { eventsTexts as texts } from '../texts/events-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'

const EventDetails = ({ id }: { id: string }) => {
  const { data, error } = usePage(oneEvent, { id })
  if (error) return <RefusalNotice error={error} />
  if (!data) return <Loader aria-label={shellTexts.loading} />
  const { node } = data
  if (!node || !('name' in node) || node.payload === null) return <Text>{texts.noSuchEvent}</Text>
  return (
    <Stack>
      <Facts
        of={[
          [texts.event, node.name],
          [texts.time, timeText(node.occurredAt)],
          [texts.id, node.uuid],
        ]}
      />
      <Title order={3} size="h6">
        {texts.payload}
      </Title>
      <Facts
        of={factsOf(node.payload).map((fact) => [
          fact.label,
          isUser(fact) ? (
            <PageLink page="users" search={{ search: String(fact.value) }} size="sm">
              {String(fact.value)}
            </PageLink>
          ) : (
            valueText(fact)
          ),
        ])}
      />
      <Title order={3} size="h6">
        {texts.json}
      </Title>
      <CopiedText label={texts.json} text={jsonText(node.payload)} />
    </Stack>
  )
}

/** One event with its full payload. */
export const EventDrawer = (props: { id: string | undefined; onClose: () => void }) => {
  const { id, onClose } = props
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={texts.event}
    >
      {id && <EventDetails id={id} />}
    </Drawer>
  )
}
