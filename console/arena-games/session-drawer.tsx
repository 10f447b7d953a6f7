import { Badge, Drawer, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { oneSession } from '../generated/arena-game.ts'
import type { OneSessionQuery } from '../generated/types.ts'
import { column, numberColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { Facts } from '../parts/facts.tsx'
import { humanized, numberText, timeText } from '../parts/formats.ts'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { Status } from '../parts/status.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { arenaGamesTexts as texts } from '../texts/arena-games-texts.ts'
import { texts as common } from '../texts/shell-texts.ts'

type Session = NonNullable<OneSessionQuery['arena']['session']>
type Player = Session['players'][number]

const Name = ({ of: { user, agent, type } }: { of: Player }) => {
  if (user) return <UserLink of={user} />
  if (agent)
    return (
      <PageLink page="agents" id={agent.id} size="sm">
        {agent.displayName}
      </PageLink>
    )
  return humanized(type)
}

const players: Column<Player>[] = [
  column(texts.player, (row) => (
    <Group gap={6} wrap="nowrap">
      <div>
        <Name of={row} />
      </div>
      {row.isWinner && <Badge color="green">{texts.winner}</Badge>}
    </Group>
  )),
  numberColumn(texts.slot, ({ slot }) => slot),
  {
    ...column(texts.score, ({ score }: Player) => (score === null ? null : numberText(score))),
    textAlign: 'right',
  },
]

const moment = (at: string | null) => at && timeText(at)
const points = (value: number | null) => value !== null && texts.points(numberText(value))

const SessionDetails = ({ id }: { id: string }) => {
  const { data, error } = usePage(oneSession, { id })
  if (error) return <RefusalNotice error={error} />
  if (!data) return <Loader aria-label={common.loading} />
  const { session } = data.arena
  if (!session) return <Text>{texts.noSuchSession}</Text>
  return (
    <Stack>
      <Facts
        of={[
          [texts.status, <Status key="status" of={session.status} />],
          [texts.entryFee, points(session.entryFee)],
          [texts.prizePool, points(session.prizePool)],
          [texts.winnerPrize, points(session.winnerPrize) || null],
          [texts.yourShare, points(session.developerShare) || null],
          [texts.resultPolicy, texts.resultPolicies[session.resultPolicy]],
          [texts.opened, timeText(session.createdAt)],
          [texts.began, moment(session.startedAt)],
          [texts.ended, moment(session.completedAt)],
          [texts.expires, session.status === 'WAITING' ? moment(session.expiresAt) : null],
          [texts.sessionId, session.uuid],
        ]}
      />
      <Title order={3} size="h6">
        {texts.players}
      </Title>
      <ConnectionTable
        label={texts.players}
        of={{ nodes: session.players }}
        columns={players}
        idOf={(player) => player.id}
        empty={texts.noPlayers}
      />
    </Stack>
  )
}

/** One session: who played, and where the entry fees went. */
export const SessionDrawer = (props: { id: string | undefined; onClose: () => void }) => {
  const { id, onClose } = props
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={texts.session}
    >
      {id && <SessionDetails id={id} />}
    </Drawer>
  )
}
