import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { RightButton } from '../parts/right-button.tsx'
import { usersTexts as texts } from '../texts/users-texts.ts'

/** Its fields are loaded when it opens first. */
const BlockDialog = lazy(async () => ({
  default: (await import('./block-dialog.tsx')).BlockDialog,
}))

/** Blocks a user. */
export const BlockUserButton = ({ userId, name }: { userId: string; name: string }) => {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <RightButton right="POINTS_ADJUST" variant="default" onClick={open}>
        {texts.block}
      </RightButton>
      {isOpen && (
        <Suspense>
          <BlockDialog userId={userId} name={name} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
