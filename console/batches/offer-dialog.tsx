import { NumberInput, Select, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { createOffersForUsers } from '../generated/batches.ts'
import type { OfferType } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { countText, numberText } from '../parts/formats.ts'
import { offerTypeChoices } from '../parts/offer-types.ts'
import { useTypedName } from '../parts/typed-name.tsx'
import { batchesTexts as texts } from '../texts/batches-texts.ts'
import { offersTexts } from '../texts/offers-texts.ts'
import { usersTexts } from '../texts/users-texts.ts'
import type { ManyUsers } from './many-users.ts'
import { Preview } from './preview.tsx'

/** The offer that a stage calls for first. */
const standardType = ({ filter }: ManyUsers): OfferType =>
  filter.stages?.[0] === 'AT_RISK' || filter.stages?.[0] === 'CHURNED'
    ? 'RETURN_BONUS'
    : 'WELCOME_BONUS'

/**
 * Makes an offer to all users who match, and goes to the page that shows who claimed it. LIVE asks for the name of the
 * segment, or the number of users.
 */
// Long: one form, with each of its fields.
export const OfferDialog = ({ of, onClose }: { of: ManyUsers; onClose: () => void }) => {
  const change = useChange(createOffersForUsers)
  const typed = useTypedName(of.filter.segment ? (of.name ?? '') : String(of.count.value))
  const goTo = useGoTo()
  const form = useForm({
    initialValues: {
      offerType: standardType(of),
      title: '',
      points: 100 as number | string,
      hours: 72 as number | string,
      creditsPoints: true,
    },
  })
  const label = texts.offerTo(countText(of.count))
  const { points, creditsPoints } = form.values
  const most = numberText(Number(points) * of.count.value)
  return (
    <FormDialog
      title={label}
      isOpen
      onClose={onClose}
      form={form}
      submit={async ({ title, points, hours, ...values }) => {
        const expiresAt = new Date(Date.now() + Number(hours) * 3_600_000).toISOString()
        const input = {
          ...values,
          filter: of.filter,
          name: of.name ?? null,
          title: title.trim() || null,
          points: Number(points),
          expiresAt,
        }
        const { userBatch } = await change.mutateAsync({ input })
        goTo({ page: 'batches', id: userBatch.id })
      }}
      submitLabel={label}
      isReady={typed.isRight}
      done={texts.offerStarted}
    >
      <Preview of={of} />
      <Select
        label={usersTexts.offerType}
        allowDeselect={false}
        data={offerTypeChoices}
        {...form.getInputProps('offerType')}
      />
      <TextInput
        label={usersTexts.offerTitle}
        description={offersTexts.titleHint}
        data-autofocus
        {...form.getInputProps('title')}
      />
      <SimpleGrid cols={2}>
        <NumberInput
          label={usersTexts.offerPoints}
          min={0}
          allowDecimal={false}
          {...form.getInputProps('points')}
        />
        <NumberInput
          label={texts.hours}
          min={1}
          max={8760}
          allowDecimal={false}
          {...form.getInputProps('hours')}
        />
      </SimpleGrid>
      <Switch
        label={usersTexts.credits}
        description={creditsPoints ? texts.offerCost(most) : undefined}
        {...form.getInputProps('creditsPoints', { type: 'checkbox' })}
      />
      {typed.field}
    </FormDialog>
  )
}
