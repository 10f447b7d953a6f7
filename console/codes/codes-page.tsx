import { SimpleGrid, Switch } from '@mantine/core'
import { useState } from 'react'
import { PageButton, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { codes } from '../generated/codes.ts'
import type { CodesQuery } from '../generated/types.ts'
import { ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconTicket } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { Page } from '../parts/page.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { codesTexts as texts } from '../texts/codes-texts.ts'
import { batchColumns, batchOrders } from './batch-columns.tsx'
import { CodeLookUp } from './code-look-up.tsx'
import { NewCodes } from './new-codes.tsx'

const Figures = ({ of }: { of: CodesQuery['codeStats'] }) => (
  <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} mb="md">
    <StatCard label={texts.codeCount} value={of.codeCount} />
    <StatCard label={texts.redeemed} value={of.redeemedCount} />
    <StatCard label={texts.redeemable} value={of.activeCount} />
    <StatCard label={texts.expired} value={of.expiredCount} />
    <StatCard label={texts.revoked} value={of.revokedCount} />
  </SimpleGrid>
)

const NoCodes = ({ hasCampaigns }: { hasCampaigns: boolean }) =>
  hasCampaigns ? (
    <EmptyState icon={IconTicket} text={texts.empty} action={<NewCodes />} />
  ) : (
    <EmptyState
      icon={IconTicket}
      text={texts.noCampaigns}
      action={<PageButton page="campaigns">{texts.toCampaigns}</PageButton>}
    />
  )

export const CodesPage = () => {
  const [search, setSearch] = usePageSearch()
  const isWithRevoked = search['revoked'] === 'yes'
  // Not in the URL: whoever has a code can redeem it.
  const [code, setCode] = useState('')
  const order = orderOf(search, batchOrders, 'CREATED_AT')
  const variables = {
    ...pageOf(search, 25),
    ...(!isWithRevoked && { filter: { isRevoked: false } }),
    orderBy: order,
    code,
    isLookUp: code !== '',
  }
  const query = usePage(codes, variables)
  const hasCampaigns = query.data !== undefined && query.data.campaigns.nodes.length > 0
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={hasCampaigns && <NewCodes />}
      operation={codes}
      variables={variables}
      asked={query}
    >
      {({ codeStats, codeBatches, campaignCode }) => (
        <>
          <Figures of={codeStats} />
          <CodeLookUp asked={code} found={campaignCode} ask={setCode} />
          <Switch
            my="sm"
            label={texts.showRevoked}
            checked={isWithRevoked}
            onChange={({ currentTarget }) =>
              setSearch({
                revoked: currentTarget.checked ? 'yes' : undefined,
                after: undefined,
                before: undefined,
              })
            }
          />
          <ConnectionTable
            label={texts.title}
            order={order}
            of={codeBatches}
            columns={batchColumns}
            idOf={({ id }) => id}
            empty={<NoCodes hasCampaigns={hasCampaigns} />}
          />
        </>
      )}
    </Page>
  )
}
