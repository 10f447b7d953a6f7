import { Autocomplete, Button, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { simulateEvent } from '../generated/campaign.ts'
import { MomentField } from '../parts/moment-field.tsx'
import { Panel } from '../parts/panel.tsx'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { campaignSimulationTexts as texts } from '../texts/campaigns-texts.ts'
import type { ShownCampaign } from './campaign-lists.tsx'
import { SimulatedOutcome } from './simulated-outcome.tsx'

type Asked = { id: string; user: string; eventType: string; at: string | undefined }

const Outcome = ({ id, user, eventType, at }: Asked) => {
  const { data, error, refetch } = usePage(simulateEvent, {
    id,
    user: { externalId: user },
    eventType,
    ...(at && { at }),
  })
  if (error) return <RefusalNotice error={error} onRetry={refetch} />
  const outcome = data?.campaign?.simulatedEvent
  return outcome ? <SimulatedOutcome of={outcome} /> : null
}

/** Simulates an event. The URL holds the input. */
export const EventSimulation = ({ of }: { of: ShownCampaign }) => {
  const [search, setSearch] = usePageSearch()
  const { user, event, at } = search
  const form = useForm({
    initialValues: {
      user: user ?? '',
      event: event ?? of.eventRules[0]?.eventType ?? '',
      at: at ?? null,
    },
  })
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Panel title={texts.title} hint={texts.hint}>
        <form
          onSubmit={form.onSubmit((values) => setSearch({ ...values, at: values.at ?? undefined }))}
        >
          <Stack gap="sm">
            <TextInput
              label={texts.user}
              description={texts.userHint}
              required
              maxLength={255}
              {...form.getInputProps('user')}
            />
            <Autocomplete
              label={texts.eventType}
              required
              maxLength={255}
              data={of.eventRules.map(({ eventType }) => eventType)}
              {...form.getInputProps('event')}
            />
            <MomentField
              label={texts.at}
              description={texts.atHint}
              clearable
              {...form.getInputProps('at')}
            />
            <Button type="submit" style={{ alignSelf: 'flex-end' }}>
              {texts.simulate}
            </Button>
          </Stack>
        </form>
      </Panel>
      {user && event && <Outcome id={of.id} user={user} eventType={event} at={at} />}
    </SimpleGrid>
  )
}
