/** The parts of the form of a reward. */
import {
  Box,
  Divider,
  Grid,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useEffect, useRef } from 'react'
import { segmentChoices } from '../generated/goal.ts'
import type { RewardRowFragment, SegmentChoicesQuery } from '../generated/types.ts'
import { FoundSelect } from '../parts/found-select.tsx'
import { MomentField } from '../parts/moment-field.tsx'
import { NameFields } from '../parts/name-fields.tsx'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { gameNames } from '../texts/games-texts.ts'
import { rewardFormTexts as texts } from '../texts/rewards-texts.ts'
import { KindField } from './kind-field.tsx'
import { RewardCard } from './reward-card.tsx'
import { canBeSold, type RewardForm } from './reward-form.ts'
import { shownRewardOfValues } from './shown-reward.ts'

/** `isNew`: whether its kind can be chosen. */
type PartProps = { form: RewardForm; isNew: boolean }

const choices = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

const Names = ({ form, isNew }: PartProps) =>
  isNew ? (
    <NameFields
      form={form}
      nameLabel={texts.name}
      nameLength={100}
      slugLabel={texts.slug}
      slugHint={texts.slugHint}
      slugLength={64}
    />
  ) : (
    <>
      <TextInput
        label={texts.name}
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label={texts.slug}
        description={texts.slugChangeHint}
        required
        maxLength={64}
        {...form.getInputProps('slug')}
      />
    </>
  )

const Worth = ({ form, isNew }: PartProps) => {
  const { kind } = form.values
  if (kind === 'POINTS')
    return (
      <WholeNumberField
        label={texts.points}
        {...(!isNew && { description: texts.pointsHint })}
        min={1}
        {...form.getInputProps('points')}
      />
    )
  if (kind !== 'FREE_PLAYS') return null
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm" style={{ alignItems: 'end' }}>
      <Select
        label={texts.game}
        allowDeselect={false}
        data={choices(gameNames)}
        {...form.getInputProps('freePlays.gameType')}
      />
      <WholeNumberField
        label={texts.playCount}
        min={1}
        max={100}
        {...form.getInputProps('freePlays.count')}
      />
      <WholeNumberField
        label={texts.validDays}
        description={texts.validDaysHint}
        required={false}
        min={1}
        max={366}
        {...form.getInputProps('freePlays.validDays')}
      />
    </SimpleGrid>
  )
}

const Stock = ({ form, isNew }: PartProps) =>
  form.values.kind === 'CODE' ? (
    <Text size="sm" c="dimmed">
      {isNew ? texts.codesLater : texts.codesThere}
    </Text>
  ) : (
    <WholeNumberField
      label={texts.stock}
      description={texts.stockHint}
      required={false}
      {...form.getInputProps('stock')}
    />
  )

type SegmentChoice = SegmentChoicesQuery['segments']['nodes'][number]

/** Whether nobody can enter a segment by what a public key says about them. */
const isProven = ({ country, device, source }: SegmentChoice) =>
  (country ?? device ?? source) === null

const SegmentField = ({ form }: { form: RewardForm }) => {
  const { segment } = form.values
  const { value: _, onChange, ...props } = form.getInputProps('segment')
  return (
    <FoundSelect
      label={texts.segment}
      description={texts.segmentHint}
      placeholder={texts.everybody}
      clearable
      operation={segmentChoices}
      choicesOf={({ segments }) =>
        segments.nodes.filter(isProven).map(({ id, name }) => ({ value: id, label: name }))
      }
      known={segment ?? undefined}
      value={segment?.value ?? null}
      onChange={(value, option) => onChange(option && { value, label: option.label })}
      {...props}
    />
  )
}

/** What is set of a reward that is for sale. */
const Sale = ({ form }: { form: RewardForm }) => (
  <>
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" style={{ alignItems: 'end' }}>
      <WholeNumberField label={texts.price} min={1} {...form.getInputProps('price')} />
      <WholeNumberField
        label={texts.position}
        description={texts.positionHint}
        max={1_000_000}
        {...form.getInputProps('position')}
      />
      <WholeNumberField
        label={texts.limit}
        description={texts.limitHint}
        required={false}
        min={1}
        max={1_000_000}
        {...form.getInputProps('limit.max')}
      />
      <Select
        label={texts.window}
        allowDeselect={false}
        disabled={form.values.limit.max === ''}
        data={choices(texts.windows)}
        {...form.getInputProps('limit.window')}
      />
      <MomentField label={texts.starts} clearable {...form.getInputProps('startsAt')} />
      <MomentField label={texts.ends} clearable isAhead {...form.getInputProps('endsAt')} />
    </SimpleGrid>
    <SegmentField form={form} />
  </>
)

const Shop = ({ form }: { form: RewardForm }) => (
  <>
    <Divider mt="xs" />
    <Switch
      label={texts.isForSale}
      description={texts.shopHint}
      {...form.getInputProps('isForSale', { type: 'checkbox' })}
    />
    {form.values.isForSale && <Sale form={form} />}
  </>
)

/** All fields of a reward. */
const RewardFields = ({ form, isNew }: PartProps) => (
  <Stack gap="sm">
    {isNew && <KindField {...form.getInputProps('kind')} />}
    <Names form={form} isNew={isNew} />
    <Worth form={form} isNew={isNew} />
    <Textarea
      label={texts.description}
      description={texts.descriptionHint}
      autosize
      maxRows={4}
      maxLength={2000}
      {...form.getInputProps('description')}
    />
    <Stock form={form} isNew={isNew} />
    <TextInput
      type="url"
      label={texts.image}
      description={texts.imageHint}
      maxLength={2048}
      {...form.getInputProps('imageUrl')}
    />
    {canBeSold(form.values) && <Shop form={form} />}
  </Stack>
)

/** The fields, and beside them the card with what is typed. */
export const FieldsAndCard = ({ form, of }: { form: RewardForm; of?: RewardRowFragment }) => {
  const fields = useRef<HTMLDivElement>(null)
  // The dialog has set the focus before these fields were loaded.
  useEffect(() => fields.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  return (
    <Grid gap="lg" ref={fields}>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <RewardFields form={form} isNew={of === undefined} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        {/* Below the title of the dialog. */}
        <Box pos="sticky" top={68}>
          <RewardCard of={shownRewardOfValues(form.values, of)} />
        </Box>
      </Grid.Col>
    </Grid>
  )
}
