import { Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../client/use-change.ts'
import type { UserQuery } from '../generated/types.ts'
import { addUserNote, deleteUserNote } from '../generated/user.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { numberText, timeText } from '../parts/formats.ts'
import { usersTexts as texts } from '../texts/users-texts.ts'

type Notes = NonNullable<UserQuery['user']>['notes']

const Note = ({ of }: { of: Notes['nodes'][number] }) => {
  const change = useChange(deleteUserNote)
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {of.text}
        </Text>
        <Text size="xs" c="dimmed">
          {of.member?.email ?? texts.formerMember} · {timeText(of.createdAt)}
        </Text>
      </div>
      <ActionButton
        right="POINTS_ADJUST"
        size="compact-xs"
        variant="subtle"
        color="gray"
        label={texts.deleteNote}
        act={() => change.mutateAsync({ input: { noteId: of.id } })}
        done={texts.noteDeleted}
      />
    </Group>
  )
}

/** What the team has written about a user, and a field for more. */
export const UserNotes = ({ userId, of }: { userId: string; of: Notes }) => {
  const [text, setText] = useState('')
  const change = useChange(addUserNote)
  const add = async () => {
    await change.mutateAsync({ input: { user: { id: userId }, text } })
    setText('')
  }
  const { nodes, totalCount } = of
  return (
    <Paper withBorder p="md" mb="md">
      <Title order={2} size="h5" mb="xs">
        {texts.notes}
      </Title>
      <Stack gap="sm">
        {nodes.length === 0 && (
          <Text size="sm" c="dimmed">
            {texts.noNotes}
          </Text>
        )}
        {nodes.map((note) => (
          <Note key={note.id} of={note} />
        ))}
        {totalCount.value > nodes.length && (
          <Text size="xs" c="dimmed">
            {texts.lastNotes(numberText(nodes.length), numberText(totalCount.value))}
          </Text>
        )}
        <Group align="flex-end" gap="sm">
          <Textarea
            label={texts.newNote}
            autosize
            minRows={1}
            maxLength={2000}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            style={{ flex: '1 1 16rem' }}
          />
          <ActionButton
            right="POINTS_ADJUST"
            label={texts.addNote}
            disabled={text.trim() === ''}
            act={add}
            done={texts.noteAdded}
          />
        </Group>
      </Stack>
    </Paper>
  )
}
