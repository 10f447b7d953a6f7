import { useDisclosure } from '@mantine/hooks'
import { useChange } from '../client/use-change.ts'
import { blockUser } from '../generated/user.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { usersTexts as texts } from '../texts/users-texts.ts'
import { BlockFields, blockInputOf, useBlockForm } from './block-fields.tsx'

/** Blocks a user. */
export const BlockUserButton = ({ userId, name }: { userId: string; name: string }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(blockUser)
  const form = useBlockForm()
  return (
    <>
      <RightButton right="POINTS_ADJUST" variant="default" onClick={open}>
        {texts.block}
      </RightButton>
      <FormDialog
        title={`${texts.block} ${name}`}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={(values) => change.mutateAsync({ input: blockInputOf(userId, values) })}
        submitLabel={texts.block}
        done={texts.userBlocked}
      >
        <BlockFields form={form} />
      </FormDialog>
    </>
  )
}
