import { Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useRef } from 'react'
import { v4 } from 'uuid'
import { makeChange } from '../client/change.ts'
import { useEnvironment } from '../client/viewer.tsx'
import { rewardChoices } from '../generated/rewards.ts'
import type { UserRowFragment } from '../generated/types.ts'
import { adjustPoints, blockUser, giveReward } from '../generated/user.ts'
import { ActOnChosen } from '../parts/act-on-chosen.tsx'
import { AdjustFields } from '../parts/adjust-fields.tsx'
import { FoundSelect } from '../parts/found-select.tsx'
import { useTypedName } from '../parts/typed-name.tsx'
import { worthOf } from '../rewards/reward-name.tsx'
import { grantsTexts } from '../texts/rewards-texts.ts'
import { usersTexts as texts } from '../texts/users-texts.ts'
import { BlockFields, blockInputOf, useBlockForm } from './block-fields.tsx'

type Props = { of: UserRowFragment[]; onDone: () => void }

const nameOf = ({ displayName, externalId }: UserRowFragment) => displayName ?? externalId

/** Blocks all chosen users. */
const BlockChosen = ({ of, onDone }: Props) => {
  const environment = useEnvironment()
  const form = useBlockForm()
  return (
    <ActOnChosen
      of={of}
      right="POINTS_ADJUST"
      title={texts.blockAll}
      outcome={{
        done: texts.blockedAll,
        nothingDone: texts.blockedNone,
        refused: texts.notBlocked,
      }}
      variant="default"
      isReady={() => !form.validate().hasErrors}
      nameOf={nameOf}
      act={({ id }) => makeChange(blockUser, { input: blockInputOf(id, form.values) }, environment)}
      onDone={onDone}
      onClose={form.reset}
    >
      <BlockFields form={form} />
    </ActOnChosen>
  )
}

/** Gives all chosen users a reward. */
const GiveChosen = ({ of, onDone }: Props) => {
  const environment = useEnvironment()
  /** One for each opening of the dialog, so that nobody gets the reward twice. */
  const run = useRef(v4())
  const form = useForm({
    initialValues: { reward: null as string | null, note: '' },
    validate: { reward: (id) => (id === null ? grantsTexts.chooseReward : null) },
  })
  const give = async ({ id }: UserRowFragment) => {
    const { reward, note } = form.values
    const reference = `console-${run.current}-${id}`
    const input = { user: { id }, reward: { id: reward ?? '' }, reference, note: note || null }
    const { grant } = await makeChange(giveReward, { input }, environment)
    if (grant.status === 'FAILED') throw new Error(grantsTexts.gaveNothing)
  }
  return (
    <ActOnChosen
      of={of}
      right="GRANTS_WRITE"
      title={texts.giveAll}
      outcome={{ done: texts.gaveAll, nothingDone: texts.gaveNone, refused: texts.notGiven }}
      isReady={() => !form.validate().hasErrors}
      nameOf={nameOf}
      act={give}
      onDone={onDone}
      onClose={() => {
        run.current = v4()
        form.reset()
      }}
    >
      <FoundSelect
        label={grantsTexts.giveReward}
        placeholder={grantsTexts.givePlaceholder}
        operation={rewardChoices}
        choicesOf={({ rewards }) =>
          rewards.nodes.map((reward) => ({
            value: reward.id,
            label: reward.name,
            hint: worthOf(reward),
          }))
        }
        {...form.getInputProps('reward')}
      />
      <Textarea
        label={grantsTexts.giveNote}
        description={grantsTexts.giveNoteHint}
        autosize
        minRows={2}
        maxLength={500}
        {...form.getInputProps('note')}
      />
    </ActOnChosen>
  )
}

/** Adds points to all chosen users, or takes them. LIVE asks for the number of users. */
const AdjustChosen = ({ of, onDone }: Props) => {
  const environment = useEnvironment()
  /** One for each opening of the dialog, so that nobody gets the points twice. */
  const run = useRef(v4())
  const typed = useTypedName(String(of.length))
  const form = useForm({
    initialValues: { points: 0 as number | string, reason: '' },
    validate: {
      points: (points) => (Number(points) === 0 ? texts.adjustMissing : null),
      reason: (reason) => (reason.trim() === '' ? texts.adjustReasonMissing : null),
    },
  })
  const adjust = ({ id }: UserRowFragment) => {
    const { points, reason } = form.values
    const reference = `console-${run.current}-${id}`
    const input = { user: { id }, reference, points: Number(points), reason }
    return makeChange(adjustPoints, { input }, environment)
  }
  return (
    <ActOnChosen
      of={of}
      right="POINTS_ADJUST"
      title={texts.adjustAll}
      outcome={{
        done: texts.adjustedAll,
        nothingDone: texts.adjustedNone,
        refused: texts.notAdjusted,
      }}
      variant="default"
      isReady={() => !form.validate().hasErrors}
      isDisabled={!typed.isRight}
      nameOf={nameOf}
      act={adjust}
      onDone={onDone}
      onClose={() => {
        run.current = v4()
        typed.clear()
        form.reset()
      }}
    >
      <AdjustFields form={form} reasonHint={texts.adjustReasonHint} />
      {typed.field}
    </ActOnChosen>
  )
}

/** What can be done with chosen users. */
export const ChosenUsers = (props: Props) => (
  <>
    <BlockChosen {...props} />
    <AdjustChosen {...props} />
    <GiveChosen {...props} />
  </>
)
