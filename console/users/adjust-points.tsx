import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { v4 } from 'uuid'
import { ChangeError } from '../client/change.ts'
import { useChange } from '../client/use-change.ts'
import { adjustPoints } from '../generated/user.ts'
import { AdjustFields } from '../parts/adjust-fields.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { useTypedName } from '../parts/typed-name.tsx'
import { usersTexts as texts } from '../texts/users-texts.ts'

export const AdjustPointsButton = ({ userId, name }: { userId: string; name: string }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(adjustPoints)
  const typed = useTypedName(name)
  const form = useForm({ initialValues: { points: 0, reason: '' } })
  /** Makes retries idempotent after a lost answer. */
  const [reference, setReference] = useState('')
  const tried = useRef('')
  const queries = useQueryClient()
  const start = () => {
    setReference(`console-${v4()}`)
    tried.current = ''
    typed.clear()
    open()
  }
  const adjust = async (values: typeof form.values) => {
    const text = JSON.stringify(values)
    const isRepeated = tried.current === text
    tried.current = text
    try {
      await change.mutateAsync({ input: { user: { id: userId }, reference, ...values } })
    } catch (cause) {
      const wasMade = cause instanceof ChangeError && cause.code === 'DUPLICATE_REFERENCE'
      if (!wasMade || !isRepeated) throw cause
      await queries.invalidateQueries()
    }
  }
  return (
    <>
      <RightButton right="POINTS_ADJUST" variant="default" onClick={start}>
        {texts.adjust}
      </RightButton>
      <FormDialog
        title={texts.adjust}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={adjust}
        isReady={typed.isRight}
        done={texts.adjusted}
      >
        <AdjustFields form={form} />
        {typed.field}
      </FormDialog>
    </>
  )
}
