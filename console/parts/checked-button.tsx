import type { ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, Suspense } from 'react'
import { type Requirement, useEnvironment } from '../client/viewer.tsx'
import { texts } from '../texts/shell-texts.ts'
import { ActionButton } from './action-button.tsx'
import type { CheckFrame } from './check-dialog.tsx'
import { RightButton } from './right-button.tsx'

/** Renders the check of a change in a frame. */
export type CheckOf = (frame: CheckFrame) => ReactNode

/** A button for a change that users notice. In TEST it acts at once; in LIVE it first shows what becomes true. */
export const CheckedButton = (
  props: ButtonProps & {
    right: Requirement | undefined
    label: string
    /** The name of the object. */
    name: string
    act: () => Promise<unknown>
    done: string
    check: CheckOf
  },
) => {
  const { right, label, name, act, done, check, ...buttonProps } = props
  const [isOpen, { open, close }] = useDisclosure()
  if (useEnvironment() === 'TEST')
    return <ActionButton {...{ right, label, act, done }} {...buttonProps} />
  return (
    <>
      <RightButton right={right} variant="default" onClick={open} {...buttonProps}>
        {label}
      </RightButton>
      <Suspense>
        {isOpen &&
          check({
            title: `${label} ${texts.quoted(name)}`,
            confirmLabel: texts.inLive(label),
            act,
            done,
            onClose: close,
          })}
      </Suspense>
    </>
  )
}
