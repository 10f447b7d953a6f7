import { Group, Text } from '@mantine/core'
import { PageLink, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { lotteries } from '../generated/lotteries.ts'
import type { LotteriesQuery } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column, sortable, statusColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { humanized, numberText } from '../parts/formats.ts'
import { IconWand } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { Page } from '../parts/page.tsx'
import { lotteriesTexts as texts } from '../texts/lotteries-texts.ts'
import { NewLottery } from './new-lottery.tsx'

type LotteryRow = LotteriesQuery['lotteries']['nodes'][number]

const statuses = ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED', 'EXPIRED'] as const
const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'CUSTOM'] as const

const orders = { NAME: 'ASC', SLUG: 'ASC' } as const
const filterNames = ['status', 'frequency']

const columns: Column<LotteryRow>[] = [
  sortable(
    orders,
    'NAME',
    column(texts.lottery, ({ id, name, slug, isForEveryPartner }) => (
      <>
        <PageLink page="lotteries" id={id} size="sm" fw={600}>
          {name}
        </PageLink>
        <Text size="xs" c="dimmed">
          {isForEveryPartner ? texts.forEveryPartner : slug}
        </Text>
      </>
    )),
  ),
  statusColumn(texts.status, ({ status }) => status),
  column(texts.frequency, ({ frequency }) => humanized(frequency)),
  column(texts.openDraw, ({ id, openDraw }) =>
    openDraw ? (
      <PageLink page="lotteries" id={id} search={{ draw: openDraw.id }} size="sm">
        {texts.drawName(openDraw.number)}
      </PageLink>
    ) : (
      texts.noOpenDraw
    ),
  ),
  timeColumn(texts.closes, ({ openDraw }) => openDraw?.closesAt),
  {
    ...column(texts.tickets, ({ openDraw }: LotteryRow) =>
      openDraw ? numberText(openDraw.ticketCount) : null,
    ),
    textAlign: 'right',
  },
]

export const LotteriesPage = () => {
  const [search] = usePageSearch()
  const status = chosen(search['status'], statuses)
  const frequency = chosen(search['frequency'], frequencies)
  const filter = {
    ...(status && { statuses: [status] }),
    ...(frequency && { frequencies: [frequency] }),
  }
  const order = orderOf(search, orders, 'SLUG')
  const variables = { ...pageOf(search, 25), filter, orderBy: order }
  const query = usePage(lotteries, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<NewLottery />}
      operation={lotteries}
      variables={variables}
      asked={query}
    >
      {(data) => (
        <>
          <Group gap="xs" mb="sm">
            <ChoiceField label={texts.status} name="status" values={statuses} />
            <ChoiceField label={texts.frequency} name="frequency" values={frequencies} />
            <ListTools name="lotteries" columns={columns} order={order} filters={filterNames} />
          </Group>
          <ConnectionTable
            label={texts.title}
            name="lotteries"
            order={order}
            of={data.lotteries}
            columns={columns}
            idOf={({ id }) => id}
            isFiltered={Object.keys(filter).length > 0}
            empty={<EmptyState icon={IconWand} text={texts.empty} action={<NewLottery />} />}
          />
        </>
      )}
    </Page>
  )
}
