import { Group, SimpleGrid, Stack } from '@mantine/core'
import { PageLink, usePageId, usePageSearch } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { cancelUserBatch, userBatch } from '../generated/batches.ts'
import type { UserBatchQuery, UserBatchRowFragment } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column, statusColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Facts } from '../parts/facts.tsx'
import { countText, numberText } from '../parts/formats.ts'
import { IconGift } from '../parts/icons.ts'
import { NoSuch } from '../parts/no-such.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { StatCard } from '../parts/stat-card.tsx'
import { Status } from '../parts/status.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { RelativeTime } from '../parts/when.tsx'
import { batchesTexts as texts } from '../texts/batches-texts.ts'
import { BatchProgress, isRunning } from './batch-progress.tsx'

type Offers = UserBatchQuery['offers']

const statuses = ['ACTIVE', 'CLAIMED', 'EXPIRED', 'CANCELLED'] as const

const columns: Column<Offers['nodes'][number]>[] = [
  column(texts.user, ({ user }) => <UserLink of={user} />),
  statusColumn(texts.status, ({ status }) => status),
  timeColumn(texts.made, ({ createdAt }) => createdAt),
  timeColumn(texts.claimedAt, ({ claimedAt }) => claimedAt),
]

const CancelBatch = ({ of: { id, name, kind } }: { of: UserBatchRowFragment }) => {
  const change = useChange(cancelUserBatch)
  return (
    <DangerButton
      right={kind === 'POINTS' ? 'POINTS_ADJUST' : 'JOURNEYS_WRITE'}
      label={texts.cancel}
      explanation={texts.cancelExplanation}
      name={name}
      act={() => change.mutateAsync({ input: { userBatchId: id } })}
      done={texts.cancelled}
    />
  )
}

const Numbers = ({
  of,
  claimed,
}: {
  of: UserBatchRowFragment
  claimed: UserBatchQuery['claimed']
}) => (
  <SimpleGrid cols={{ base: 2, md: 4 }}>
    <StatCard label={texts.expected} value={countText(of.expectedUserCount)} />
    <StatCard label={texts.matched} value={numberText(of.userCount)} />
    <StatCard label={texts.done[of.kind]} value={numberText(of.doneCount)} />
    {of.kind === 'OFFERS' && (
      <StatCard label={texts.claimed} value={countText(claimed.totalCount)} />
    )}
  </SimpleGrid>
)

const About = ({ of }: { of: UserBatchRowFragment }) => (
  <Panel title={texts.kinds[of.kind]} hint={texts.doneHint[of.kind]}>
    <Facts
      of={[
        [texts.status, <Status key="status" of={of.status} />],
        [texts.progress, <BatchProgress key="progress" of={of} />],
        [texts.offer, of.title],
        [texts.points, numberText(of.points)],
        [texts.reward, of.reward?.name],
        [texts.reason, of.reason],
        [
          texts.segment,
          of.segment && (
            <PageLink key="segment" inherit page="segments" id={of.segment.id}>
              {of.segment.name}
            </PageLink>
          ),
        ],
        [texts.started, <RelativeTime key="started" at={of.createdAt} />],
        [texts.ended, of.completedAt && <RelativeTime key="ended" at={of.completedAt} />],
        [texts.expires, of.expiresAt && <RelativeTime key="expires" at={of.expiresAt} />],
      ]}
    />
  </Panel>
)

/** One batch: how far it is, and who has claimed its offers. */
export const BatchPage = () => {
  const id = usePageId()
  const [search] = usePageSearch()
  const status = chosen(search['status'], statuses)
  const variables = { id, ...pageOf(search, 25), ...(status && { statuses: [status] }) }
  const query = usePage(userBatch, variables, {
    refreshMs: (data) => (data?.userBatch && isRunning(data.userBatch) ? 2_000 : 0),
  })
  const found = query.data?.userBatch
  return (
    <Page
      title={found?.name ?? texts.title}
      actions={found && isRunning(found) && <CancelBatch of={found} />}
      operation={userBatch}
      variables={variables}
      asked={query}
      noSuch={texts.noSuchBatch}
    >
      {({ userBatch: batch, offers, claimed }) =>
        batch ? (
          <Stack>
            <Numbers of={batch} claimed={claimed} />
            <About of={batch} />
            {batch.kind === 'OFFERS' && (
              <Panel title={texts.users} isFramed={false}>
                <Group mb="sm">
                  <ChoiceField
                    label={texts.status}
                    name="status"
                    values={statuses}
                    labelOf={(value) => texts.statuses[value as (typeof statuses)[number]]}
                  />
                </Group>
                <ConnectionTable
                  label={texts.users}
                  of={offers}
                  columns={columns}
                  idOf={(offer) => offer.id}
                  isFiltered={status !== undefined}
                  empty={<EmptyState icon={IconGift} text={texts.nobody} />}
                />
              </Panel>
            )}
          </Stack>
        ) : (
          <NoSuch text={texts.noSuchBatch} />
        )
      }
    </Page>
  )
}
