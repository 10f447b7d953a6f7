import { Button } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import type { SessionRowFragment } from '../generated/types.ts'
import { ChoiceField } from '../parts/choice-field.tsx'
import {
  actionsColumn,
  column,
  numberColumn,
  sortable,
  statusColumn,
  timeColumn,
} from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconTrophy } from '../parts/icons.ts'
import { Panel } from '../parts/panel.tsx'
import { arenaGamesTexts as texts } from '../texts/arena-games-texts.ts'
import { SessionDrawer } from './session-drawer.tsx'

export const sessionStatuses = ['WAITING', 'IN_PROGRESS', 'COMPLETED', 'EXPIRED'] as const

export const sessionOrders = { CREATED_AT: 'DESC' } as const

/** Sessions of games. `show` opens one. */
export const sessionColumns = <Row extends SessionRowFragment>(
  show: (id: string) => void,
): Column<Row>[] => [
  sortable(
    sessionOrders,
    'CREATED_AT',
    timeColumn(texts.opened, ({ createdAt }) => createdAt),
  ),
  statusColumn(texts.status, ({ status }) => status),
  column(texts.players, ({ playerCount, maxPlayers }) => texts.seats(playerCount, maxPlayers)),
  numberColumn(texts.entryFee, ({ entryFee }) => entryFee),
  numberColumn(texts.prizePool, ({ prizePool }) => prizePool),
  actionsColumn(({ id, uuid }) => (
    <Button
      size="compact-xs"
      variant="subtle"
      aria-label={texts.detailsOf(uuid)}
      onClick={() => show(id)}
    >
      {texts.details}
    </Button>
  )),
]

/** The sessions of a game, newest first. The URL holds the open one. */
export const GameSessions = (props: {
  of: Parameters<typeof ConnectionTable<SessionRowFragment>>[0]['of']
  isFiltered: boolean
}) => {
  const { of, isFiltered } = props
  const [{ session }, setSearch] = usePageSearch()
  return (
    <Panel
      title={texts.sessions}
      isFramed={false}
      actions={<ChoiceField label={texts.status} name="status" values={sessionStatuses} />}
    >
      <ConnectionTable
        label={texts.sessions}
        of={of}
        columns={sessionColumns((id) => setSearch({ session: id }))}
        idOf={({ id }) => id}
        isFiltered={isFiltered}
        empty={<EmptyState icon={IconTrophy} text={texts.noSessions} />}
      />
      <SessionDrawer id={session} onClose={() => setSearch({ session: undefined })} />
    </Panel>
  )
}
