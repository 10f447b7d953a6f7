import { Select, SimpleGrid, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useChange } from '../client/use-change.ts'
import { campaignChoices } from '../generated/codes.ts'
import { batchChoices, startExport } from '../generated/exports.ts'
import type { ExportFormat, ExportKind } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { numberText, timeText } from '../parts/formats.ts'
import { FoundSelect } from '../parts/found-select.tsx'
import { MomentField } from '../parts/moment-field.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { useCreateDialog } from '../parts/use-create-dialog.ts'
import { exportsTexts as texts } from '../texts/exports-texts.ts'

const choices = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

const firstValues = {
  kind: 'USERS' as ExportKind,
  format: 'CSV' as ExportFormat,
  codeBatchId: null as string | null,
  campaignId: null as string | null,
  from: null as string | null,
  to: null as string | null,
}

const inputOf = (values: typeof firstValues) => {
  const { kind, format, codeBatchId, campaignId, from, to } = values
  return {
    kind,
    format,
    filter: {
      ...(kind === 'CODES' && { codeBatchId }),
      ...(kind === 'INSTANT_WINS' && { campaignId }),
      ...((from || to) && { createdAt: { from, to } }),
    },
  }
}

/** Any campaign: prizes stay when it has ended. */
const CampaignField = (props: object) => (
  <FoundSelect
    label={texts.campaign}
    allowDeselect={false}
    operation={campaignChoices}
    choicesOf={({ campaigns }) =>
      campaigns.nodes.map(({ id, name, slug }) => ({ value: id, label: name, hint: slug }))
    }
    {...props}
  />
)

const BatchField = (props: object) => (
  <FoundSelect
    label={texts.batch}
    description={texts.batchHint}
    placeholder={texts.batchPlaceholder}
    allowDeselect={false}
    operation={batchChoices}
    choicesOf={({ codeBatches }) =>
      codeBatches.nodes.map(({ id, label, codeCount, createdAt, campaign }) => ({
        value: id,
        label: texts.batchOf(campaign.name, label ?? texts.batchCodes(numberText(codeCount))),
        hint: timeText(createdAt),
      }))
    }
    {...props}
  />
)

/** Starts an export, of users unless `of` says something else. On the page of `of`, it is not the main action. */
export const StartExportButton = (props: { of?: ExportKind; label?: string }) => {
  const { of: kind = firstValues.kind, label = texts.start } = props
  const isBeside = props.of !== undefined
  const [isOpen, { open, close }] = useCreateDialog('EXPORT', !isBeside)
  const change = useChange(startExport)
  const form = useForm({
    initialValues: { ...firstValues, kind },
    validate: {
      codeBatchId: (id, { kind: chosen }) =>
        chosen === 'CODES' && id === null ? texts.batchMissing : null,
      campaignId: (id, { kind: chosen }) =>
        chosen === 'INSTANT_WINS' && id === null ? texts.campaignMissing : null,
    },
  })
  return (
    <>
      <RightButton right="EXPORT" onClick={open} {...(isBeside && { variant: 'default' })}>
        {label}
      </RightButton>
      <FormDialog
        title={texts.start}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={(values) => change.mutateAsync({ input: inputOf(values) })}
        submitLabel={texts.start}
        done={texts.startedDone}
      >
        <Select
          label={texts.what}
          allowDeselect={false}
          data={choices(texts.kinds)}
          data-autofocus
          {...form.getInputProps('kind')}
        />
        {form.values.kind === 'INSTANT_WINS' && (
          <CampaignField {...form.getInputProps('campaignId')} />
        )}
        {form.values.kind === 'CODES' && <BatchField {...form.getInputProps('codeBatchId')} />}
        <Select
          label={texts.format}
          allowDeselect={false}
          data={choices(texts.formats)}
          {...form.getInputProps('format')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <MomentField label={texts.from} clearable {...form.getInputProps('from')} />
          <MomentField label={texts.to} clearable {...form.getInputProps('to')} />
        </SimpleGrid>
        <Text size="xs" c="dimmed">
          {texts.periodHint}
        </Text>
      </FormDialog>
    </>
  )
}
