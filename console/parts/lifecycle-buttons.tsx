import type { ReactNode } from 'react'
import type { RightName } from '../client/viewer.tsx'
import { ActionButton } from './action-button.tsx'
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
  /** The button that deletes a draft. Without one, a draft is ended. */
  remove?: ReactNode
}) => {
  const { right, name, status, texts, start, pause, end, remove } = props
  const isRunning = status === 'ACTIVE'
  const isOver = !isRunning && status !== 'DRAFT' && status !== 'PAUSED'
  if (isOver) return null
  return (
    <>
      {isRunning ? (
        <ActionButton right={right} label={texts.pause} act={pause} done={texts.paused} />
      ) : (
        <ActionButton
          right={right}
          variant="filled"
          label={status === 'DRAFT' ? texts.start : texts.resume}
          act={start}
          done={texts.started}
        />
      )}
      {status === 'DRAFT' && remove ? (
        remove
      ) : (
        <DangerButton
          right={right}
          label={texts.end}
          explanation={texts.endExplanation}
          name={name}
          act={end}
          done={texts.ended}
        />
      )}
    </>
  )
}
