import { Group, Stack } from '@mantine/core'
import { PageLink, usePageId, usePageSearch } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { ExportList } from '../exports/export-list.tsx'
import { codeBatch, revokeCodeBatch } from '../generated/code-batch.ts'
import type { CodeBatchQuery } from '../generated/types.ts'
import { column, sortable, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Facts } from '../parts/facts.tsx'
import { numberText } from '../parts/formats.ts'
import { IconTicket } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { ListTools } from '../parts/list-tools.tsx'
import { NoSuch } from '../parts/no-such.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { PeriodField, rangeOf, useListPeriod } from '../parts/period.tsx'
import { PublicPage } from '../parts/public-page.tsx'
import { Status } from '../parts/status.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { RelativeTime } from '../parts/when.tsx'
import { codesTexts as texts } from '../texts/codes-texts.ts'
import { BatchProgress } from './batch-columns.tsx'

type Batch = Extract<CodeBatchQuery['node'], { __typename: 'CodeBatch' }>

const orders = { REDEEMED_AT: 'DESC' } as const

const columns: Column<Batch['redemptions']['nodes'][number]>[] = [
  sortable(
    orders,
    'REDEEMED_AT',
    timeColumn(texts.time, ({ redeemedAt }) => redeemedAt),
  ),
  column(texts.user, ({ user }) => <UserLink of={user} />),
]

const Revoke = ({ of: { id, label } }: { of: Batch }) => {
  const change = useChange(revokeCodeBatch)
  return (
    <DangerButton
      right="CAMPAIGNS_WRITE"
      label={texts.revoke}
      explanation={texts.revokeExplanation}
      name={label ?? texts.unnamed}
      act={() => change.mutateAsync({ input: { codeBatchId: id } })}
      done={texts.revokedDone}
    />
  )
}

/** The next step towards a first redemption. */
const firstStep = ({ status, campaign: { phase, pageUrl } }: Batch) => {
  if (status !== 'ACTIVE' || phase === 'ENDED') return { text: texts.noRedemptions }
  if (phase !== 'ACTIVE') return { text: texts.startFirst }
  return { text: texts.redeemOnPage, action: <PublicPage url={pageUrl} /> }
}

/** Who redeemed codes of the batch. */
const Redemptions = ({ of }: { of: Batch }) => {
  const [search] = usePageSearch()
  const period = useListPeriod()
  const order = orderOf(search, orders, 'REDEEMED_AT')
  return (
    <Panel
      title={texts.redemptions}
      isFramed={false}
      actions={
        <>
          <PeriodField of={period} />
          <ListTools
            name="redemptions"
            columns={columns}
            order={order}
            filters={['period', 'from', 'to']}
          >
            <ExportList
              kind="CODES"
              filter={{
                codeBatchId: of.id,
                isRedeemed: true,
                ...(period && { createdAt: rangeOf(period) }),
              }}
            />
          </ListTools>
        </>
      }
    >
      <ConnectionTable
        label={texts.redemptions}
        name="redemptions"
        order={order}
        of={of.redemptions}
        columns={columns}
        idOf={({ uuid }) => uuid}
        isFiltered={period !== null}
        empty={<EmptyState icon={IconTicket} {...firstStep(of)} />}
      />
    </Panel>
  )
}

const BatchView = ({ of }: { of: Batch }) => (
  <Stack>
    <Panel title={texts.batch}>
      <Facts
        of={[
          [
            texts.campaign,
            <PageLink key="campaign" inherit page="campaigns" id={of.campaign.id}>
              {of.campaign.name}
            </PageLink>,
          ],
          [texts.points, numberText(of.points)],
          [texts.redeemed, <BatchProgress key="progress" of={of} />],
          [texts.created, <RelativeTime key="created" at={of.createdAt} />],
          [texts.expires, of.expiresAt && <RelativeTime key="expires" at={of.expiresAt} />],
          [texts.revokedCodes, of.revokedCount > 0 && numberText(of.revokedCount)],
          [texts.revoked, of.revokedAt && <RelativeTime key="revoked" at={of.revokedAt} />],
        ]}
      />
    </Panel>
    <Redemptions of={of} />
  </Stack>
)

/** One batch of codes, and who redeemed them. */
export const CodeBatchPage = () => {
  const [search] = usePageSearch()
  const period = useListPeriod()
  const variables = {
    id: usePageId(),
    ...pageOf(search, 25),
    ...(period && { filter: { redeemedAt: rangeOf(period) } }),
    orderBy: orderOf(search, orders, 'REDEEMED_AT'),
  }
  const asked = usePage(codeBatch, variables)
  const node = asked.data?.node
  const batch = node?.__typename === 'CodeBatch' ? node : null
  const name = batch?.label ?? texts.batch
  return (
    <Page
      title={
        <Group gap="sm">
          {name}
          {batch && <Status of={batch.status} />}
        </Group>
      }
      name={name}
      actions={batch?.status === 'ACTIVE' && <Revoke of={batch} />}
      operation={codeBatch}
      variables={variables}
      asked={asked}
      noSuch={texts.noSuchBatch}
    >
      {() => (batch ? <BatchView of={batch} /> : <NoSuch text={texts.noSuchBatch} />)}
    </Page>
  )
}
