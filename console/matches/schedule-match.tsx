import { Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useChange } from '../client/use-change.ts'
import { opponentChoices, scheduleArenaMatch } from '../generated/matches.ts'
import type { MatchesQuery } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { FoundSelect } from '../parts/found-select.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { matchesTexts as texts } from '../texts/matches-texts.ts'

/** Chooses one of the public agents. */
const OpponentField = ({ besides, ...props }: { besides: string | null }) => (
  <FoundSelect
    label={texts.opponent}
    placeholder={texts.opponentPlaceholder}
    allowDeselect={false}
    operation={opponentChoices}
    choicesOf={({ arena }) =>
      arena.agents.nodes
        .filter(({ id }) => id !== besides)
        .map(({ id, displayName, eloRating }) => ({
          value: id,
          label: displayName,
          hint: texts.rated(eloRating),
        }))
    }
    {...props}
  />
)

type Game = MatchesQuery['arena']['agentGames'][number]

/** Schedules a match of one of the active agents. */
// Long: one form, with its request and all of its fields.
export const ScheduleMatch = (props: {
  agents: readonly { id: string; displayName: string }[]
  games: readonly [Game, ...Game[]]
}) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(scheduleArenaMatch)
  const form = useForm({
    initialValues: {
      agent1Id: null as string | null,
      agent2Id: null as string | null,
      gameType: props.games[0].gameType,
      bestOf: '3',
    },
    validate: {
      agent1Id: (id) => (id === null ? texts.agentMissing : null),
      agent2Id: (id, { agent1Id }) => {
        if (id === null) return texts.opponentMissing
        return id === agent1Id ? texts.opponentIsAgent : null
      },
    },
  })
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
        // `validate` requires both agents.
        submit={({ bestOf, agent1Id, agent2Id, gameType }) =>
          change.mutateAsync({
            input: {
              gameType,
              bestOf: Number(bestOf),
              agent1Id: agent1Id ?? '',
              agent2Id: agent2Id ?? '',
            },
          })
        }
        submitLabel={texts.schedule}
        done={texts.scheduled}
      >
        <Select
          label={texts.agent}
          placeholder={texts.agentPlaceholder}
          allowDeselect={false}
          data={props.agents.map(({ id, displayName }) => ({ value: id, label: displayName }))}
          {...form.getInputProps('agent1Id')}
        />
        <OpponentField besides={form.values.agent1Id} {...form.getInputProps('agent2Id')} />
        <Select
          label={texts.game}
          allowDeselect={false}
          data={props.games.map(({ gameType, name }) => ({ value: gameType, label: name }))}
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
