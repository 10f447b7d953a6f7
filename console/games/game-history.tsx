import { Button, Group, Modal, Select, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { usePageSearch } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { gameVersions, setGame } from '../generated/games.ts'
import type { GameSetUpFragment, GameVersionRowFragment } from '../generated/types.ts'
import { CheckedButton } from '../parts/checked-button.tsx'
import { actionsColumn, column, numberColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { Differences } from '../parts/differences.tsx'
import { PageSkeleton } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { gamesTexts as texts } from '../texts/games-texts.ts'
import { type GameForm, inputOfGame, linesOfGame, valuesOfGame } from './game-form.ts'
import { GameCheck } from './game-status.tsx'

type GameVersion = GameVersionRowFragment

const actorName = ({ actor }: GameVersion) => {
  if (!actor) return null
  return actor.__typename === 'Member'
    ? actor.email
    : texts.keyName(actor.label ?? '', actor.lastFour)
}

const columns: Column<GameVersion>[] = [
  column(texts.version, ({ version }) => texts.versionName(version)),
  timeColumn(texts.changedAt, ({ createdAt }) => createdAt),
  column(texts.changedBy, actorName),
  numberColumn(texts.cost, ({ price }) => price),
  {
    ...column(texts.expected, ({ config }: GameVersion) => config.expectedWorth.toFixed(1)),
    textAlign: 'right',
  },
]

const linesOf = (version: GameVersion) => linesOfGame(valuesOfGame(version))

/** Compares a version with another one on the same page of the list, by default the previous one. */
const Comparison = (props: {
  of: GameVersion
  among: readonly GameVersion[]
  onUse: () => void
}) => {
  const { of, among, onUse } = props
  const others = among.filter(({ id }) => id !== of.id)
  const before = others.find(({ version }) => version < of.version) ?? others[0]
  const [otherId, setOtherId] = useState(before?.id ?? null)
  const other = others.find(({ id }) => id === otherId)
  return (
    <Stack gap="sm">
      <Select
        label={texts.compareWith}
        allowDeselect={false}
        value={otherId}
        onChange={setOtherId}
        data={others.map(({ id, version }) => ({ value: id, label: texts.versionName(version) }))}
      />
      {other && (
        <Differences
          left={linesOf(other)}
          leftTitle={texts.versionName(other.version)}
          right={linesOf(of)}
          rightTitle={texts.versionName(of.version)}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onUse}>
          {texts.use}
        </Button>
      </Group>
    </Stack>
  )
}

/** Saves an earlier version again, as a new one. */
const Restore = ({ of: game, version }: { of: GameSetUpFragment; version: GameVersion }) => {
  const change = useChange(setGame)
  const values = valuesOfGame(version)
  const input = inputOfGame(game.gameType, game.version, values)
  return (
    <CheckedButton
      right="GAMES_WRITE"
      size="xs"
      label={texts.restore}
      name={texts.versionName(version.version)}
      act={() => change.mutateAsync({ input })}
      done={texts.restored(version.version)}
      check={(frame) => (
        <GameCheck
          frame={frame}
          game={input}
          to="save"
          change={{ before: linesOfGame(valuesOfGame(game)), after: linesOfGame(values) }}
        />
      )}
    />
  )
}

/** The versions of a game, newest first, to be compared, edited again and restored. */
export const GameHistory = (props: {
  of: GameSetUpFragment
  onUse: (values: GameForm) => void
}) => {
  const { of: game, onUse } = props
  const [search] = usePageSearch()
  const { data, error, refetch } = usePage(gameVersions, { id: game.id, ...pageOf(search, 10) })
  const [compared, setCompared] = useState<GameVersion | null>(null)
  const close = () => setCompared(null)
  const versions = data?.node?.__typename === 'Game' ? data.node.versions : undefined
  const compare = actionsColumn<GameVersion>((version) => (
    <>
      <Button size="xs" variant="default" onClick={() => setCompared(version)}>
        {texts.compare}
      </Button>
      {version.version < game.version && <Restore of={game} version={version} />}
    </>
  ))
  if (error) return <RefusalNotice error={error} onRetry={refetch} />
  if (!versions) return <PageSkeleton />
  return (
    <Panel title={texts.history} hint={texts.historyHint} isFramed={false}>
      <ConnectionTable
        label={texts.history}
        of={versions}
        columns={versions.nodes.length > 1 ? [...columns, compare] : columns}
        idOf={({ id }) => id}
        empty={null}
      />
      <Modal
        opened={compared !== null}
        onClose={close}
        title={compared && texts.versionName(compared.version)}
        size="lg"
      >
        {compared && (
          <Comparison
            of={compared}
            among={versions.nodes}
            onUse={() => {
              onUse(valuesOfGame(compared))
              close()
              notifications.show({ message: texts.used })
            }}
          />
        )}
      </Modal>
    </Panel>
  )
}
