import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { type ReactNode, useState } from 'react'
import type { Requirement } from '../client/viewer.tsx'
import { texts } from '../texts/shell-texts.ts'
import { RefusalNotice } from './refusal-notice.tsx'
import { RightButton } from './right-button.tsx'
import { OutsideRowMenu } from './row-menu.tsx'
import { useTypedName } from './typed-name.tsx'

/**
 * A button for an irreversible action. It asks for confirmation; in LIVE, by typing the name of the object, unless the
 * object is one of many that are worth little, such as a code.
 */
// Long: the dialog and its actions.
export const DangerButton = (
  props: ButtonProps & {
    /** Undefined if the page itself requires the right. */
    right?: Requirement | undefined
    label: string
    /** What will happen, in one sentence. */
    explanation: string
    /** The name of the object. */
    name: string
    isOneOfMany?: boolean
    act: () => Promise<unknown>
    done?: string
    /** The text of the button that changes nothing. */
    keepLabel?: string
    /** Fields of the action. */
    children?: ReactNode
  },
) => {
  const { right, label, explanation, name, isOneOfMany = false, act, done, ...others } = props
  const { keepLabel, children, ...rest } = others
  const [isOpen, { open, close }] = useDisclosure()
  const typed = useTypedName(isOneOfMany ? null : name)
  const [error, setError] = useState<Error | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const ask = () => {
    typed.clear()
    setError(null)
    open()
  }
  const confirm = async () => {
    setIsBusy(true)
    setError(null)
    try {
      await act()
      if (done) notifications.show({ message: done, color: 'teal' })
      close()
    } catch (cause) {
      setError(cause as Error)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <>
      <RightButton right={right} color="red" variant="light" onClick={ask} {...rest}>
        {label}
      </RightButton>
      <Modal opened={isOpen} onClose={close} title={`${label} ${texts.quoted(name)}`}>
        <Stack gap="sm">
          <Text size="sm">{explanation}</Text>
          <OutsideRowMenu>{children}</OutsideRowMenu>
          {typed.field}
          {error && <RefusalNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {keepLabel ?? texts.cancel}
            </Button>
            <Button color="red" loading={isBusy} disabled={!typed.isRight} onClick={confirm}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
