import { Box, Grid, Group, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useChange } from '../client/use-change.ts'
import { updateCampaign } from '../generated/campaign.ts'
import type { CampaignSetUpFragment } from '../generated/types.ts'
import { EditorEnd, EditorForm, useEditor } from '../parts/editor.tsx'
import { MomentField } from '../parts/moment-field.tsx'
import { Panel } from '../parts/panel.tsx'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { campaignsTexts, campaignEditorTexts as texts } from '../texts/campaigns-texts.ts'
import {
  type CampaignForm,
  type CampaignValues,
  inputOfCampaign,
  linesOfCampaign,
  valuesOfCampaign,
} from './campaign-form.ts'
import { CampaignPreview, type PreviewedCampaign } from './campaign-preview.tsx'
import { EventRulesEditor } from './event-rules-editor.tsx'
import { InstantWinEditor } from './instant-win-editor.tsx'

const TextsAndPeriod = ({ form }: { form: CampaignForm }) => (
  <Panel title={texts.texts}>
    <Stack gap="sm">
      <TextInput
        label={campaignsTexts.name}
        required
        maxLength={255}
        {...form.getInputProps('name')}
      />
      <Textarea
        label={campaignsTexts.descriptionLabel}
        description={campaignsTexts.descriptionHint}
        autosize
        minRows={2}
        maxLength={2000}
        {...form.getInputProps('description')}
      />
      <Group grow align="flex-start" preventGrowOverflow={false} wrap="wrap">
        <MomentField
          label={campaignsTexts.starts}
          description={texts.startsHint}
          clearable
          {...form.getInputProps('startsAt')}
        />
        <MomentField
          label={campaignsTexts.ends}
          description={texts.endsHint}
          clearable
          {...form.getInputProps('endsAt')}
        />
      </Group>
      <WholeNumberField
        label={texts.maxPlays}
        description={texts.maxPlaysHint}
        required={false}
        min={1}
        {...form.getInputProps('maxEventsPerUser')}
      />
      <Switch
        label={texts.creditsWallet}
        {...form.getInputProps('creditsWallet', { type: 'checkbox' })}
      />
      <Switch
        label={texts.revokesPoints}
        {...form.getInputProps('revokesPoints', { type: 'checkbox' })}
      />
    </Stack>
  </Panel>
)

const Referrals = ({ form }: { form: CampaignForm }) => (
  <Panel title={texts.referrals} hint={texts.referralsHint}>
    <Switch
      label={texts.hasReferrals}
      {...form.getInputProps('hasReferrals', { type: 'checkbox' })}
    />
    {form.values.hasReferrals && (
      <Group grow mt="sm" align="flex-start">
        <WholeNumberField
          label={texts.referrerReward}
          {...form.getInputProps('referralRules.referrerPoints')}
        />
        <WholeNumberField
          label={texts.refereeReward}
          {...form.getInputProps('referralRules.refereePoints')}
        />
      </Group>
    )}
  </Panel>
)

/** Edits everything about a campaign except its slug, next to a preview of its public page. */
export const CampaignEditor = ({ of }: { of: PreviewedCampaign }) => {
  const mutation = useChange(updateCampaign)
  const { form, editor } = useEditor<CampaignValues, CampaignSetUpFragment>({
    of,
    valuesOf: (one = of) => valuesOfCampaign(one),
    linesOf: linesOfCampaign,
    done: texts.saved,
    send: async (values, version) => {
      const input = inputOfCampaign(of.id, version, values)
      return (await mutation.mutateAsync({ input })).campaign
    },
  })
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <EditorForm of={editor}>
          <Stack gap="md">
            <TextsAndPeriod form={form} />
            <EventRulesEditor form={form} />
            <InstantWinEditor form={form} of={of} />
            <Referrals form={form} />
            <EditorEnd of={editor} right="CAMPAIGNS_WRITE" />
          </Stack>
        </EditorForm>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Box pos="sticky" top={72}>
          <CampaignPreview of={of} values={form.values} />
        </Box>
      </Grid.Col>
    </Grid>
  )
}
