import type { ReactNode } from 'react'
import type { RightName } from '../client/viewer.tsx'
import { CheckedButton, type CheckOf } from './checked-button.tsx'
import { DangerButton } from './danger-button.tsx'

type LifecycleTexts = Record<
  'start' | 'resume' | 'started' | 'pause' | 'paused' | 'end' | 'endExplanation' | 'ended',
  string
>

/** Starts, pauses and ends an object that runs for a period, as its status allows. */
export const LifecycleButtons = (props: {
  right: RightName
  name: string
  status: string
  texts: LifecycleTexts
  start: () => Promise<unknown>
  pause: () => Promise<unknown>
  end: () => Promise<unknown>
  /** What starting and pausing mean, shown before it is done in LIVE. */
  checks: { start: CheckOf; pause: CheckOf }
  /** More that ending means, shown before it is done. */
  endEffects?: ReactNode
  /** The button that deletes a draft, which cannot be ended. */
  remove: ReactNode
}) => {
  const { right, name, status, texts, start, pause, end, checks, endEffects, remove } = props
  const isRunning = status === 'ACTIVE'
  const isOver = !isRunning && status !== 'DRAFT' && status !== 'PAUSED'
  if (isOver) return null
  return (
    <>
      {isRunning ? (
        <CheckedButton
          {...{ right, name }}
          label={texts.pause}
          act={pause}
          done={texts.paused}
          check={checks.pause}
        />
      ) : (
        <CheckedButton
          {...{ right, name }}
          variant="filled"
          label={status === 'DRAFT' ? texts.start : texts.resume}
          act={start}
          done={texts.started}
          check={checks.start}
        />
      )}
      {status === 'DRAFT' ? (
        remove
      ) : (
        <DangerButton
          right={right}
          label={texts.end}
          explanation={texts.endExplanation}
          name={name}
          act={end}
          done={texts.ended}
        >
          {endEffects}
        </DangerButton>
      )}
    </>
  )
}
