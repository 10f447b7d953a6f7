import { ActionIcon, Box, Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconPlus, IconTrash } from './icons.ts'

/** The part of a form that row lists use. */
type RowForm = {
  errors: Record<string, ReactNode>
  insertListItem: (path: string, row: unknown) => void
  removeListItem: (path: string, index: number) => void
}

/** The end of a row list: the errors of the list or of whole rows, and the button that adds a row. */
export const AddRow = (props: {
  form: RowForm
  path: string
  label: string
  newRow: () => unknown
}) => {
  const { form, path, label, newRow } = props
  return (
    <>
      <Box data-path={path} tabIndex={-1}>
        {form.errors[path] && (
          <Text size="sm" c="red" role="alert">
            {form.errors[path]}
          </Text>
        )}
      </Box>
      <Button
        variant="subtle"
        size="xs"
        my="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => form.insertListItem(path, newRow())}
      >
        {label}
      </Button>
    </>
  )
}

export const RemoveRow = (props: {
  form: RowForm
  path: string
  index: number
  label: string
  disabled?: boolean
}) => {
  const { form, path, index, label, disabled = false } = props
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      disabled={disabled}
      onClick={() => form.removeListItem(path, index)}
    >
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  )
}
