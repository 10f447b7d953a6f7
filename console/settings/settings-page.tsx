import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { useMissingRight } from '../client/viewer.tsx'
import { settings, updatePartnerSettings } from '../generated/settings.ts'
import type { SettingsQuery } from '../generated/types.ts'
import { exactTimeText } from '../parts/formats.ts'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { useUnsavedGuard } from '../parts/use-unsaved-guard.ts'
import { browserZone } from '../shown-zone.ts'
import { settingsTexts as texts } from '../texts/settings-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'
import { placeOf } from '../zones.ts'

/** Names of today that browsers may list by an older one. */
const renamed = [
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Ho_Chi_Minh',
  'Asia/Yangon',
  'Europe/Kyiv',
  'America/Nuuk',
  'America/Argentina/Buenos_Aires',
]

/** All time zones that the browser knows, and the one that is set. */
const zonesWith = (zone: string) =>
  [...new Set(['UTC', zone, ...renamed, ...Intl.supportedValuesOf('timeZone')])].sort()

const clockIn = (timeZone: string) =>
  new Intl.DateTimeFormat('en', {
    timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).format()

const TimeZoneForm = ({ timeZone }: { timeZone: string }) => {
  const change = useChange(updatePartnerSettings)
  const form = useForm({ initialValues: { timeZone } })
  const isDirty = form.isDirty()
  const isReadOnly = useMissingRight('SETTINGS_WRITE') !== null
  const { save, error, isBusy } = useSubmit({
    form,
    done: texts.saved,
    submit: async (input) => {
      form.resetDirty()
      await change.mutateAsync({ input })
    },
  })
  useUnsavedGuard(isDirty && !isBusy)
  const { timeZone: chosen } = form.values
  const own = browserZone()
  return (
    <form onSubmit={save}>
      <Stack gap="sm" maw={480}>
        <Select
          label={texts.label}
          description={texts.now(placeOf(chosen), clockIn(chosen))}
          data={zonesWith(timeZone)}
          searchable
          allowDeselect={false}
          readOnly={isReadOnly}
          {...form.getInputProps('timeZone')}
        />
        <Text size="sm" c="dimmed">
          {texts.staysHint}{' '}
          <Anchor inherit underline="always" href="/docs/time-zones" target="_blank" rel="noopener">
            {texts.guide}
          </Anchor>
        </Text>
        {error && <RefusalNotice error={error} />}
        <Group gap="xs">
          <RightButton right="SETTINGS_WRITE" type="submit" loading={isBusy} disabled={!isDirty}>
            {shellTexts.save}
          </RightButton>
          {!isReadOnly && own !== chosen && (
            <Button variant="default" onClick={() => form.setFieldValue('timeZone', own)}>
              {texts.own(placeOf(own))}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

const PlayersZone = ({ of }: { of: NonNullable<SettingsQuery['defaultTimeZone']> }) => (
  <Panel title={texts.players} hint={texts.playersHint}>
    <Text>{texts.playersNow(of.timeZone)}</Text>
    {of.change && (
      <Text size="sm" c="dimmed">
        {texts.playersNext(of.change.timeZone, exactTimeText(of.change.startsAt))}
      </Text>
    )}
  </Panel>
)

/** Settings of the partner as a whole. */
export const SettingsPage = () => {
  const query = usePage(settings, {})
  return (
    <Page
      title={texts.title}
      description={texts.description}
      operation={settings}
      variables={{}}
      asked={query}
    >
      {({ viewer, defaultTimeZone }) => (
        <Stack>
          <Panel title={texts.timeZone} hint={texts.timeZoneHint}>
            <TimeZoneForm key={viewer.partner.timeZone} timeZone={viewer.partner.timeZone} />
          </Panel>
          {defaultTimeZone && <PlayersZone of={defaultTimeZone} />}
        </Stack>
      )}
    </Page>
  )
}
