import { Box, Grid, Group, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Suspense, useRef, useState } from 'react'
import { LegalFields, LookFields } from '../brand/brand-fields.tsx'
import type { BrandParts } from '../brand/brand-form.ts'
import { useChange } from '../client/use-change.ts'
import { useEnvironment } from '../client/viewer.tsx'
import { startCampaign, updateCampaign } from '../generated/campaign.ts'
import type { CampaignSetUpFragment } from '../generated/types.ts'
import { EditorEnd, EditorForm, useEditor } from '../parts/editor.tsx'
import { MomentField } from '../parts/moment-field.tsx'
import { Panel } from '../parts/panel.tsx'
import { faultOfPast } from '../parts/past.ts'
import { RightButton } from '../parts/right-button.tsx'
import { useConfirmation } from '../parts/use-confirmation.ts'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { brandTexts } from '../texts/brand-texts.ts'
import { campaignsTexts, campaignEditorTexts as texts } from '../texts/campaigns-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'
import { CampaignCheck } from './campaign-actions.tsx'
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
          isAhead
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

const Brand = ({ form, inherited }: { form: CampaignForm; inherited: BrandParts }) => {
  const fields = {
    values: form.values.brand,
    inputProps: (field: string) => form.getInputProps(`brand.${field}`),
    inherited,
  }
  return (
    <Panel title={brandTexts.ofCampaign} hint={brandTexts.ofCampaignHint}>
      <Stack gap="sm">
        <LookFields {...fields} />
        <LegalFields {...fields} />
      </Stack>
    </Panel>
  )
}

/** What is asked about before it is saved: everything but texts. */
const rulesOf = (values: CampaignValues) => {
  const { campaign: _, expectedVersion: __, ...changes } = inputOfCampaign('', 0, values)
  const { name: ___, description: ____, brand: _____, ...rules } = changes
  return { changes, rules: JSON.stringify(rules) }
}

/** Starts a draft as soon as it is saved; in LIVE after a look at what that means. */
const useStartAfterSave = ({ id }: PreviewedCampaign) => {
  const isWanted = useRef(false)
  const isLive = useEnvironment() === 'LIVE'
  const [isAsking, setIsAsking] = useState(false)
  const change = useChange(startCampaign)
  const act = () => change.mutateAsync({ input: { campaign: { id } } })
  return {
    want: (wanted: boolean) => {
      isWanted.current = wanted
    },
    afterSave: async () => {
      if (!isWanted.current) return
      isWanted.current = false
      if (isLive) return setIsAsking(true)
      await act()
      notifications.show({ message: campaignsTexts.started, color: 'teal' })
    },
    isAsking,
    frame: { act, done: campaignsTexts.started, onClose: () => setIsAsking(false) },
  }
}

/** Edits everything about a campaign except its slug, next to a preview of its public page. */
// Long: one form, with its request, its questions and all of its parts.
export const CampaignEditor = (props: {
  of: PreviewedCampaign
  /** The brand of the partner. */
  brand: BrandParts
}) => {
  const { of, brand } = props
  const mutation = useChange(updateCampaign)
  const confirmation = useConfirmation()
  const start = useStartAfterSave(of)
  const isDraft = of.status === 'DRAFT'
  const { form, editor } = useEditor<CampaignValues, CampaignSetUpFragment>({
    of,
    valuesOf: (item = of) => valuesOfCampaign(item),
    linesOf: linesOfCampaign,
    confirm: (values) =>
      confirmation.ask(
        !isDraft &&
          of.status !== 'ENDED' &&
          rulesOf(values).rules !== rulesOf(valuesOfCampaign(of)).rules,
      ),
    validate: ({ endsAt }) => ({ endsAt: faultOfPast(endsAt, of.endsAt) }),
    done: texts.saved,
    send: async (values, version) => {
      const input = inputOfCampaign(of.id, version, values)
      const { campaign } = await mutation.mutateAsync({ input })
      await start.afterSave()
      return campaign
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
            <Brand form={form} inherited={brand} />
            <EditorEnd of={editor} right="CAMPAIGNS_WRITE" onSave={() => start.want(false)}>
              {isDraft && (
                <RightButton
                  right="CAMPAIGNS_WRITE"
                  type="submit"
                  variant="default"
                  disabled={!editor.isDirty || editor.isBusy}
                  onClick={() => start.want(true)}
                >
                  {texts.saveAndStart}
                </RightButton>
              )}
            </EditorEnd>
          </Stack>
        </EditorForm>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Box pos="sticky" top={72}>
          <CampaignPreview of={of} values={form.values} brand={brand} />
        </Box>
      </Grid.Col>
      <Suspense>
        {confirmation.isOpen && (
          <CampaignCheck
            of={of}
            to="save"
            changes={rulesOf(form.getValues()).changes}
            lines={{
              before: linesOfCampaign(valuesOfCampaign(of)),
              after: linesOfCampaign(form.getValues()),
            }}
            frame={confirmation.frameOf(of.name)}
          />
        )}
        {start.isAsking && (
          <CampaignCheck
            of={of}
            to="start"
            frame={{
              ...start.frame,
              title: `${campaignsTexts.start} ${shellTexts.quoted(of.name)}`,
              confirmLabel: shellTexts.inLive(campaignsTexts.start),
            }}
          />
        )}
      </Suspense>
    </Grid>
  )
}
