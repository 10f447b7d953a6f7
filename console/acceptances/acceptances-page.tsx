import { Badge, Box, Group, Text } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { acceptances, withdrawArenaAcceptance } from '../generated/acceptances.ts'
import type { AcceptancesQuery } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column, menuColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { numberText, percentText } from '../parts/formats.ts'
import { IconHeartHandshake } from '../parts/icons.ts'
import { Page } from '../parts/page.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { acceptancesTexts as texts } from '../texts/acceptances-texts.ts'
import { AcceptGame, AcceptGameButton } from './accept-game.tsx'
import { PointFlow } from './point-flow.tsx'

type Row = AcceptancesQuery['arenaAcceptances']['nodes'][number]

const states = ['ACCEPTED', 'WITHDRAWN'] as const

const stateOf = ({ withdrawnAt, isInForce, game }: Row) => {
  if (withdrawnAt) return { text: texts.withdrawn, color: 'gray' }
  if (game.buildUrl === null) return { text: texts.notPublic, color: 'yellow' }
  if (!isInForce) return { text: texts.termsChanged, color: 'yellow' }
  return { text: texts.inForce, color: 'green' }
}

const State = ({ of }: { of: Row }) => {
  const { text, color } = stateOf(of)
  return <Badge color={color}>{text}</Badge>
}

/** The accepted terms in one line. */
const termsText = ({ entryFee, developerRevenueRate, resultPolicy }: Row) =>
  texts.termsLine(numberText(entryFee), percentText(developerRevenueRate), resultPolicy)

const AcceptanceActions = ({ of }: { of: Row }) => {
  const { game, isInForce, withdrawnAt } = of
  const [, setSearch] = usePageSearch()
  const withdraw = useChange(withdrawArenaAcceptance)
  const canAccept = game.buildUrl !== null && game.isShareable
  return (
    <>
      {canAccept && (
        <RightButton
          right="ARENA_WRITE"
          size="xs"
          variant="default"
          onClick={() => setSearch({ accept: game.id })}
        >
          {isInForce ? texts.change : texts.acceptAgain}
        </RightButton>
      )}
      {!withdrawnAt && (
        <ActionButton
          right="ARENA_WRITE"
          size="xs"
          label={texts.withdraw}
          act={() => withdraw.mutateAsync({ input: { arenaGame: { id: game.id } } })}
          done={texts.withdrawnDone}
        />
      )}
    </>
  )
}

const columns: Column<Row>[] = [
  column(texts.game, (row) => (
    <Box miw={190}>
      <Text size="sm" fw={600}>
        {row.game.name}
      </Text>
      <Text size="xs" c="dimmed">
        {termsText(row)}
      </Text>
    </Box>
  )),
  column(texts.status, (row) => <State of={row} />),
  column(texts.pointsIn, ({ pointsInToday, maxPointsInPerDay, game }) => (
    <PointFlow
      label={`${texts.pointsIn}: ${game.name}`}
      used={pointsInToday}
      cap={maxPointsInPerDay}
    />
  )),
  column(texts.pointsOut, ({ pointsOutToday, maxPointsOutPerDay, game }) => (
    <PointFlow
      label={`${texts.pointsOut}: ${game.name}`}
      used={pointsOutToday}
      cap={maxPointsOutPerDay}
    />
  )),
  timeColumn(texts.acceptedAt, ({ acceptedAt }) => acceptedAt),
  menuColumn(
    ({ game }) => game.name,
    (row) => <AcceptanceActions of={row} />,
  ),
]

/** The arena games whose prize pools the partner's users share with users of other partners. */
export const AcceptancesPage = () => {
  const [search] = usePageSearch()
  const state = chosen(search['state'], states)
  const variables = {
    ...pageOf(search, 25),
    filter: state ? { isWithdrawn: state === 'WITHDRAWN' } : {},
  }
  // Sessions of other partners move points, too.
  const query = usePage(acceptances, variables, { refreshMs: 15_000 })
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<AcceptGameButton />}
      operation={acceptances}
      variables={variables}
      asked={query}
    >
      {({ arenaAcceptances }) => (
        <>
          <Group mb="sm">
            <ChoiceField label={texts.status} name="state" values={states} />
          </Group>
          <ConnectionTable
            label={texts.title}
            of={arenaAcceptances}
            columns={columns}
            idOf={({ id }) => id}
            isFiltered={state !== undefined}
            empty={
              <EmptyState
                icon={IconHeartHandshake}
                text={texts.empty}
                action={<AcceptGameButton />}
              />
            }
          />
          <AcceptGame />
        </>
      )}
    </Page>
  )
}
