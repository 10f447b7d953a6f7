import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { RightName } from '../client/viewer.tsx'
import { texts } from '../texts/shell-texts.ts'
import { RightButton } from './right-button.tsx'

/** The end of a form on a page: whether everything is saved, and the button that saves it. */
export const SaveBar = (props: {
  right: RightName
  isDirty: boolean
  isBusy: boolean
  /** Whether the object does not exist yet, so that an unchanged form can be saved, too. */
  isNew?: boolean
  onSave?: () => void
  /** More buttons. */
  children?: ReactNode
}) => {
  const { right, isDirty, isBusy, isNew = false, onSave, children } = props
  return (
    <Group justify="flex-end">
      <Text size="sm" c="dimmed" role="status">
        {isNew ? texts.notSavedYet : isDirty ? texts.changed : texts.unchanged}
      </Text>
      <RightButton
        right={right}
        type="submit"
        loading={isBusy}
        disabled={!isDirty && !isNew}
        {...(onSave && { onClick: onSave })}
      >
        {texts.save}
      </RightButton>
      {children}
    </Group>
  )
}
