import { Drawer, Group, Loader, Stack, Text, Timeline, Title } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import type { WebhookDeliveryQuery } from '../generated/types.ts'
import { retryWebhookDelivery, webhookDelivery } from '../generated/webhook-delivery.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { CopiedText, jsonText } from '../parts/copied-text.tsx'
import { Facts } from '../parts/facts.tsx'
import { numberText, timeText } from '../parts/formats.ts'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { Status } from '../parts/status.tsx'
import { RelativeTime } from '../parts/when.tsx'
import { texts as shellTexts } from '../texts/shell-texts.ts'
import { webhooksTexts as texts } from '../texts/webhooks-texts.ts'

type Delivery = NonNullable<WebhookDeliveryQuery['webhookDelivery']>

const bodyText = ({ name, occurredAt, payload }: Delivery['event']) =>
  jsonText({ event: name, data: payload, timestamp: occurredAt })

const isAccepted = (status: number | null) => status !== null && status >= 200 && status < 300

const Attempts = ({ of }: { of: Delivery['attempts'] }) => (
  <Timeline active={of.length} bulletSize={16} lineWidth={2}>
    {of.map(({ number, startedAt, durationMs, responseStatus, responseBody, error }) => (
      <Timeline.Item
        key={number}
        title={`${texts.attempt(number)}: ${responseStatus ?? error}`}
        color={isAccepted(responseStatus) ? 'teal' : 'red'}
      >
        <Text size="xs" c="dimmed" mb={4}>
          {timeText(startedAt)} · {texts.took(numberText(durationMs))}
        </Text>
        {responseBody ? (
          <CopiedText label={texts.answerBody} text={responseBody} />
        ) : (
          responseStatus !== null && <Text size="sm">{texts.emptyAnswer}</Text>
        )}
      </Timeline.Item>
    ))}
  </Timeline>
)

const Retry = ({ id }: { id: string }) => {
  const change = useChange(retryWebhookDelivery)
  return (
    <ActionButton
      right="WEBHOOKS_WRITE"
      size="xs"
      label={texts.retry}
      act={() => change.mutateAsync({ input: { webhookDeliveryId: id } })}
      done={texts.retried}
    />
  )
}

const DeliveryDetails = ({ of }: { of: Delivery }) => (
  <Stack>
    <Group>
      <Retry id={of.id} />
      <PageLink page="events" search={{ event: of.event.id }} size="sm">
        {texts.toEvent}
      </PageLink>
    </Group>
    <Facts
      of={[
        [texts.status, <Status key="status" of={of.status} />],
        [texts.url, of.endpoint.url],
        [texts.eventId, of.event.uuid],
        [texts.happened, timeText(of.eventOccurredAt)],
        [texts.finished, of.finishedAt && timeText(of.finishedAt)],
        [texts.nextAttempt, of.nextAttemptAt && <RelativeTime key="next" at={of.nextAttemptAt} />],
      ]}
    />
    <Title order={3} size="h6">
      {texts.attempts}
    </Title>
    {of.attempts.length === 0 ? (
      <Text size="sm">{texts.noAttemptYet}</Text>
    ) : (
      <Attempts of={of.attempts} />
    )}
    <Title order={3} size="h6">
      {texts.request}
    </Title>
    {of.event.payload === null ? (
      <Text size="sm">{texts.eventGone}</Text>
    ) : (
      <CopiedText label={texts.request} text={bodyText(of.event)} />
    )}
  </Stack>
)

const DeliveryLoader = ({ id }: { id: string }) => {
  const { data, error } = usePage(
    webhookDelivery,
    { id },
    { refreshMs: (found) => (found?.webhookDelivery?.status === 'PENDING' ? 2_000 : 0) },
  )
  if (error) return <RefusalNotice error={error} />
  if (!data) return <Loader aria-label={shellTexts.loading} />
  if (!data.webhookDelivery) return <Text>{texts.noSuchDelivery}</Text>
  return <DeliveryDetails of={data.webhookDelivery} />
}

/** A delivery with its attempts: what was sent, and what the server answered. */
export const DeliveryDrawer = (props: { id: string | undefined; onClose: () => void }) => {
  const { id, onClose } = props
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={texts.delivery}
    >
      {id && <DeliveryLoader id={id} />}
    </Drawer>
  )
}
