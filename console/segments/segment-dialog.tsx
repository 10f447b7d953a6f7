import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import type { SegmentFilterFragment } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { humanized } from '../parts/formats.ts'
import { segmentsTexts as texts } from '../texts/segments-texts.ts'
import { MatchingUsers, type SegmentConditions } from './matching-users.tsx'
import { RangeFields } from './range-fields.tsx'
import { inputOfRanges, rangesOf } from './segment-range.ts'

const stages = ['NEW', 'ACTIVE', 'ENGAGED', 'POWER_USER', 'AT_RISK', 'CHURNED'] as const
const tiers = ['CASUAL', 'REGULAR', 'POWER_USER', 'WHALE'] as const
const devices = ['DESKTOP', 'MOBILE', 'TABLET'] as const

const choices = (values: readonly string[]) =>
  values.map((value) => ({ value, label: humanized(value) }))

export const valuesOfSegment = (of?: SegmentFilterFragment) => ({
  name: of?.name ?? '',
  stage: of?.stage ?? null,
  engagementTier: of?.engagementTier ?? null,
  device: of?.device ?? null,
  country: of?.country ?? '',
  source: of?.source ?? '',
  tag: of?.tag ?? '',
  tagValue: of?.tagValue ?? '',
  ranges: rangesOf(of),
})

export type SegmentValues = ReturnType<typeof valuesOfSegment>

/** Only the conditions that were given. A tag value without a tag is dropped. */
export const filterOfSegment = ({
  name: _,
  ranges,
  ...conditions
}: SegmentValues): SegmentConditions => ({
  ...Object.fromEntries(
    Object.entries({
      ...conditions,
      country: conditions.country.toUpperCase(),
      tagValue: conditions.tag.trim() && conditions.tagValue,
    })
      .map(([field, value]) => [field, value?.trim()])
      .filter(([, value]) => value),
  ),
  ...inputOfRanges(ranges),
})

/** An incomplete country code is not a condition yet. */
const completeOnly = ({ country, ...others }: SegmentConditions): SegmentConditions =>
  country?.length === 2 ? { ...others, country } : others

/** The form of a segment. It counts matching users while the conditions are edited. */
// Long: one form, with each of its fields.
export const SegmentDialog = (props: {
  title: string
  of?: SegmentFilterFragment
  isOpen: boolean
  onClose: () => void
  submit: (values: SegmentValues) => Promise<unknown>
  submitLabel: string
  done: string
}) => {
  const { of, ...dialogProps } = props
  const form = useForm({
    initialValues: valuesOfSegment(of),
    validate: (values) =>
      Object.keys(filterOfSegment(values)).length === 0 ? { stage: texts.everybody } : {},
  })
  const [edited] = useDebouncedValue(form.values, 300)
  return (
    <FormDialog {...dialogProps} form={form} size="lg">
      <TextInput label={texts.name} required data-autofocus {...form.getInputProps('name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {(
          [
            ['stage', stages],
            ['engagementTier', tiers],
            ['device', devices],
          ] as const
        ).map(([field, values]) => (
          <Select
            key={field}
            label={texts[field]}
            placeholder={texts.any}
            clearable
            data={choices(values)}
            {...form.getInputProps(field)}
          />
        ))}
        <TextInput
          label={texts.country}
          placeholder={texts.any}
          maxLength={2}
          {...form.getInputProps('country')}
        />
        <TextInput label={texts.source} placeholder={texts.any} {...form.getInputProps('source')} />
        <TextInput label={texts.tag} placeholder={texts.any} {...form.getInputProps('tag')} />
        {form.values.tag !== '' && (
          <TextInput
            label={texts.tagValue}
            placeholder={texts.any}
            {...form.getInputProps('tagValue')}
          />
        )}
      </SimpleGrid>
      <RangeFields
        of={form.values.ranges}
        onChange={(ranges) => form.setFieldValue('ranges', ranges)}
      />
      <MatchingUsers filter={completeOnly(filterOfSegment(edited))} />
    </FormDialog>
  )
}
