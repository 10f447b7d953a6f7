import { SimpleGrid } from '@mantine/core'
import { PageButton, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { earnings } from '../generated/earnings.ts'
import type { EarningsQuery } from '../generated/types.ts'
import { column, numberColumn, sortable, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconCoins } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { Page } from '../parts/page.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { earningsTexts as texts } from '../texts/earnings-texts.ts'

const orders = { CREATED_AT: 'DESC' } as const

const columns: Column<EarningsQuery['arenaEarnings']['nodes'][number]>[] = [
  sortable(
    orders,
    'CREATED_AT',
    timeColumn(texts.time, ({ createdAt }) => createdAt),
  ),
  column(texts.game, ({ game }) => game.name),
  numberColumn(texts.pool, ({ session }) => session.prizePool),
  numberColumn(texts.points, ({ points }) => points),
  numberColumn(texts.balance, ({ balanceAfter }) => balanceAfter),
]

export const EarningsPage = () => {
  const [search] = usePageSearch()
  const order = orderOf(search, orders, 'CREATED_AT')
  const variables = { ...pageOf(search, 25), orderBy: order }
  const query = usePage(earnings, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      operation={earnings}
      variables={variables}
      asked={query}
    >
      {({ arenaEarnings, arenaEarningsTotal }) => (
        <>
          <SimpleGrid cols={{ base: 2, md: 4 }} mb="md">
            <StatCard label={texts.total} value={arenaEarningsTotal.points} />
            <StatCard label={texts.sessions} value={arenaEarningsTotal.sessionCount} />
          </SimpleGrid>
          <ConnectionTable
            label={texts.title}
            name="earnings"
            order={order}
            of={arenaEarnings}
            columns={columns}
            idOf={({ id }) => id}
            empty={
              <EmptyState
                icon={IconCoins}
                text={texts.empty}
                action={<PageButton page="arena-games">{texts.toGames}</PageButton>}
              />
            }
          />
        </>
      )}
    </Page>
  )
}
