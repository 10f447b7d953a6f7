/** What a partner does to the streak of a user: each in a dialog, since the user notices it. */
import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useChange } from '../client/use-change.ts'
import {
  endStreakPause,
  giveStreakFreezes,
  pauseStreak,
  restoreStreak,
} from '../generated/streaks.ts'
import type { StreakRowFragment } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { numberText } from '../parts/formats.ts'
import { RightButton } from '../parts/right-button.tsx'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { userStreaksTexts as texts } from '../texts/streaks-texts.ts'
import { lengthText } from './streak-text.ts'

type ActionProps = { userId: string; of: StreakRowFragment }

const right = 'GRANTS_WRITE'

const keyOf = ({ userId, of }: ActionProps) => ({
  user: { id: userId },
  goal: { id: of.goal.id },
})

type Values = { count: number | '' }

/** A button, and the dialog that it opens. */
const StreakDialog = (props: {
  label: string
  title: string
  done: string
  initial?: number | ''
  act: (values: Values) => Promise<unknown>
  children: (field: ReturnType<ReturnType<typeof useForm<Values>>['getInputProps']>) => ReactNode
}) => {
  const { label, title, done, initial = '', act, children } = props
  const [isOpen, { open, close }] = useDisclosure()
  const form = useForm<Values>({ initialValues: { count: initial } })
  return (
    <>
      <RightButton right={right} size="xs" variant="default" onClick={open}>
        {label}
      </RightButton>
      <FormDialog
        title={title}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={act}
        submitLabel={label}
        done={done}
        nameOf={() => 'count'}
      >
        {children(form.getInputProps('count'))}
      </FormDialog>
    </>
  )
}

const GiveFreezes = (props: ActionProps) => {
  const change = useChange(giveStreakFreezes)
  const { goal } = props.of
  return (
    <StreakDialog
      label={texts.give}
      title={texts.giveTitle(goal.name)}
      done={texts.gave}
      initial={1}
      act={({ count }) => change.mutateAsync({ input: { ...keyOf(props), count: Number(count) } })}
    >
      {(field) => (
        <WholeNumberField
          label={texts.giveCount}
          description={texts.giveHint(numberText(goal.streak?.freezes.max ?? 0))}
          min={1}
          max={30}
          data-autofocus
          {...field}
        />
      )}
    </StreakDialog>
  )
}

const Pause = (props: ActionProps) => {
  const change = useChange(pauseStreak)
  return (
    <StreakDialog
      label={texts.pause}
      title={texts.pauseTitle(props.of.goal.name)}
      done={texts.paused}
      act={({ count }) =>
        change.mutateAsync({
          input: { ...keyOf(props), days: count === '' ? null : count },
        })
      }
    >
      {(field) => (
        <>
          <Text size="sm">{texts.pauseExplanation}</Text>
          <WholeNumberField
            label={texts.pauseDays}
            description={texts.pauseDaysHint}
            required={false}
            min={1}
            max={366}
            data-autofocus
            {...field}
          />
        </>
      )}
    </StreakDialog>
  )
}

const EndPause = (props: ActionProps) => {
  const change = useChange(endStreakPause)
  return (
    <StreakDialog
      label={texts.endPause}
      title={texts.endPauseTitle(props.of.goal.name)}
      done={texts.pauseEnded}
      act={() => change.mutateAsync({ input: keyOf(props) })}
    >
      {() => <Text size="sm">{texts.endPauseExplanation}</Text>}
    </StreakDialog>
  )
}

/** Lets a broken streak go on. */
export const RestoreStreak = (props: ActionProps) => {
  const change = useChange(restoreStreak)
  const { lostLength, goal } = props.of
  return (
    <StreakDialog
      label={texts.restore}
      title={texts.restoreTitle(goal.name)}
      done={texts.restored}
      act={() => change.mutateAsync({ input: keyOf(props) })}
    >
      {() => (
        <Text size="sm">
          {lostLength === null
            ? texts.restoreUnknown
            : texts.restoreExplanation(lengthText(lostLength, goal.window))}
        </Text>
      )}
    </StreakDialog>
  )
}

/** The actions for a streak as it is. */
export const StreakActions = (props: ActionProps) => {
  const { isPaused, restorableUntil, state } = props.of
  return (
    <>
      {restorableUntil !== null && <RestoreStreak {...props} />}
      <GiveFreezes {...props} />
      {isPaused && <EndPause {...props} />}
      {!isPaused && state !== 'BROKEN' && <Pause {...props} />}
    </>
  )
}
