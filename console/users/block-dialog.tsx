import { useChange } from '../client/use-change.ts'
import { blockUser } from '../generated/user.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { usersTexts as texts } from '../texts/users-texts.ts'
import { BlockFields, blockInputOf, useBlockForm } from './block-fields.tsx'

/** Asks why a user is blocked, and until when. */
export const BlockDialog = (props: { userId: string; name: string; onClose: () => void }) => {
  const { userId, name, onClose } = props
  const change = useChange(blockUser)
  const form = useBlockForm()
  return (
    <FormDialog
      title={`${texts.block} ${name}`}
      isOpen
      onClose={onClose}
      form={form}
      submit={(values) => change.mutateAsync({ input: blockInputOf(userId, values) })}
      submitLabel={texts.block}
      done={texts.userBlocked}
    >
      <BlockFields form={form} />
    </FormDialog>
  )
}
