import type { ButtonProps } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { RequestError } from '../client/request.ts'
import type { Requirement } from '../client/viewer.tsx'
import { texts } from '../texts/shell-texts.ts'
import { RefusalText } from './refusal-notice.tsx'
import { RightButton } from './right-button.tsx'

/** A button for a reversible change. It reports success or failure. */
export const ActionButton = (
  props: ButtonProps & {
    right: Requirement | undefined
    label: string
    act: () => Promise<unknown>
    done?: string
  },
) => {
  const { right, label, act, done, ...buttonProps } = props
  const [isBusy, setIsBusy] = useState(false)
  const run = async () => {
    setIsBusy(true)
    try {
      await act()
      if (done) notifications.show({ message: done, color: 'teal' })
    } catch (cause) {
      if (!(cause instanceof RequestError)) throw cause
      notifications.show({
        title: texts.errorTitle,
        message: <RefusalText error={cause} />,
        color: 'red',
        autoClose: false,
      })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <RightButton right={right} variant="default" loading={isBusy} onClick={run} {...buttonProps}>
      {label}
    </RightButton>
  )
}
