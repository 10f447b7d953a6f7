import { Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { scheduleArenaMatch } from '../../generated/operations/matches.ts'
import type { ArenaMatchGameType } from '../../generated/operations/types.ts'
import { useChange } from '../client/use-change.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { humanized } from '../parts/formats.ts'
import { RightButton } from '../parts/right-button.tsx'
import { matchesTexts as texts } from '../texts/matches-texts.ts'

const gameTypes: ArenaMatchGameType[] = ['TIC_TAC_TOE', 'CONNECT_FOUR', 'ROCK_PAPER_SCISSORS']

export const ScheduleMatch = (props: {
  agents: readonly { id: string; displayName: string }[]
  opponents: readonly { id: string; displayName: string; eloRating: number }[]
}) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(scheduleArenaMatch)
  const form = useForm({
    initialValues: {
      agent1Id: '',
      agent2Id: '',
      gameType: 'CONNECT_FOUR' as ArenaMatchGameType,
      bestOf: '3',
    },
  })
  const agents = props.agents.map(({ id, displayName }) => ({ value: id, label: displayName }))
  return (
    <>
      <RightButton right="ARENA_WRITE" onClick={open}>
        {texts.schedule}
      </RightButton>
      <FormDialog
        title={texts.schedule}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={({ bestOf, ...values }) =>
          change.mutateAsync({ input: { ...values, bestOf: Number(bestOf) } })
        }
        submitLabel={texts.schedule}
        done={texts.scheduled}
      >
        <Select label={texts.agent} data={agents} required {...form.getInputProps('agent1Id')} />
        <Select
          label={texts.opponent}
          data={props.opponents
            .filter(({ id }) => id !== form.values.agent1Id)
            .map(({ id, displayName, eloRating }) => ({
              value: id,
              label: `${displayName} (${eloRating})`,
            }))}
          searchable
          required
          {...form.getInputProps('agent2Id')}
        />
        <Select
          label={texts.game}
          allowDeselect={false}
          data={gameTypes.map((value) => ({ value, label: humanized(value) }))}
          {...form.getInputProps('gameType')}
        />
        <Select
          label={texts.bestOf}
          allowDeselect={false}
          data={['1', '3', '5', '7'].map((value) => ({ value, label: texts.bestOfText(value) }))}
          {...form.getInputProps('bestOf')}
        />
      </FormDialog>
    </>
  )
}
