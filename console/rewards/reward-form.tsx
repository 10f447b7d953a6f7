import { Textarea, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { updateReward } from '../generated/reward.ts'
import { createReward } from '../generated/rewards.ts'
import type { RewardKind, RewardRowFragment } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { numberText } from '../parts/formats.ts'
import { RadioField } from '../parts/radio-field.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { type FormLines, useVersions } from '../parts/use-versions.ts'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { rewardsTexts as texts } from '../texts/rewards-texts.ts'

const valuesOf = (of?: RewardRowFragment) => ({
  kind: of?.kind ?? ('POINTS' as RewardKind),
  name: of?.name ?? '',
  description: of?.description ?? '',
  imageUrl: of?.imageUrl ?? '',
  points: of?.points ?? 100,
  stock: of?.stock ?? ('' as number | ''),
})

type RewardValues = ReturnType<typeof valuesOf>

const linesOf = (of: RewardValues): FormLines => [
  [texts.name, of.name],
  [texts.descriptionLabel, of.description],
  ...(of.kind === 'POINTS' ? [[texts.points, numberText(of.points)] as const] : []),
  [texts.stock, of.stock === '' ? texts.noLimit : numberText(of.stock)],
  [texts.image, of.imageUrl],
]

const inputOf = ({ kind, name, description, imageUrl, points, stock }: RewardValues) => ({
  name,
  description: description || null,
  imageUrl: imageUrl || null,
  stock: stock === '' ? null : stock,
  ...(kind === 'POINTS' && { points }),
})

const Fields = ({ form, isNew }: { form: UseFormReturnType<RewardValues>; isNew: boolean }) => (
  <>
    <TextInput
      label={texts.name}
      description={texts.nameHint}
      required
      maxLength={100}
      data-autofocus
      {...form.getInputProps('name')}
    />
    {form.values.kind === 'POINTS' && (
      <WholeNumberField
        label={texts.points}
        {...(!isNew && { description: texts.pointsHint })}
        min={1}
        {...form.getInputProps('points')}
      />
    )}
    <Textarea
      label={texts.descriptionLabel}
      autosize
      maxRows={4}
      maxLength={2000}
      {...form.getInputProps('description')}
    />
    <WholeNumberField
      label={texts.stock}
      description={texts.stockHint}
      required={false}
      {...form.getInputProps('stock')}
    />
    <TextInput
      type="url"
      label={texts.image}
      description={texts.imageHint}
      maxLength={2048}
      {...form.getInputProps('imageUrl')}
    />
  </>
)

/** Creates a reward and opens its page. */
export const NewReward = () => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(createReward)
  const goTo = useGoTo()
  const form = useForm({ initialValues: valuesOf() })
  return (
    <>
      <RightButton right="PROGRAMME_WRITE" onClick={open}>
        {texts.create}
      </RightButton>
      <FormDialog
        title={texts.create}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={async (values) => {
          const input = { ...inputOf(values), kind: values.kind }
          const { reward } = await change.mutateAsync({ input })
          goTo({ page: 'rewards', id: reward.id })
        }}
        submitLabel={texts.create}
        done={texts.createdDone}
      >
        <RadioField
          label={texts.createKind}
          choices={texts.createKinds}
          {...form.getInputProps('kind')}
        />
        <Fields form={form} isNew />
      </FormDialog>
    </>
  )
}

/** Edits everything but the kind of a reward. */
export const EditReward = ({ of }: { of: RewardRowFragment }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const mutation = useChange(updateReward)
  const form = useForm({ initialValues: valuesOf(of) })
  const { change, conflict, load } = useVersions({ form, of, valuesOf, linesOf })
  const start = () => {
    load(of)
    open()
  }
  return (
    <>
      <RightButton right="PROGRAMME_WRITE" variant="default" onClick={start}>
        {texts.edit}
      </RightButton>
      <FormDialog
        title={texts.editTitle}
        isOpen={isOpen}
        onClose={close}
        form={form}
        conflict={conflict}
        submit={change(async (values, expectedVersion) => {
          const input = { reward: { id: of.id }, ...inputOf(values), expectedVersion }
          return (await mutation.mutateAsync({ input })).reward
        })}
        done={texts.saved}
      >
        <Fields form={form} isNew={false} />
      </FormDialog>
    </>
  )
}
