import { usePageSearch } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { deleteRewardRule, rewardRules } from '../generated/reward-rules.ts'
import type { RewardRuleRowFragment } from '../generated/types.ts'
import { HistoryDrawer } from '../history/settings-history.tsx'
import { column, menuColumn, numberColumn, sortable, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconAward } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { Page } from '../parts/page.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { historyTexts } from '../texts/history-texts.ts'
import { rewardRulesTexts as texts } from '../texts/reward-rules-texts.ts'
import { SetRule } from './set-rule.tsx'

const DeleteRule = ({ of: { eventType } }: { of: RewardRuleRowFragment }) => {
  const change = useChange(deleteRewardRule)
  return (
    <DangerButton
      right="GAMES_WRITE"
      size="xs"
      label={texts.delete}
      explanation={texts.deleteExplanation}
      name={eventType}
      act={() => change.mutateAsync({ input: { eventType } })}
      done={texts.deleted}
    />
  )
}

const orders = { EVENT_TYPE: 'ASC' } as const

const History = ({ of: { id } }: { of: RewardRuleRowFragment }) => {
  const [, setSearch] = usePageSearch()
  return (
    <RightButton right={undefined} variant="default" onClick={() => setSearch({ history: id })}>
      {historyTexts.history}
    </RightButton>
  )
}

const columns: Column<RewardRuleRowFragment>[] = [
  sortable(
    orders,
    'EVENT_TYPE',
    column(texts.eventType, ({ eventType }) => eventType),
  ),
  numberColumn(texts.points, ({ points }) => points),
  timeColumn(texts.changed, ({ updatedAt }) => updatedAt),
  menuColumn(
    ({ eventType }) => eventType,
    (row) => (
      <>
        <History of={row} />
        <SetRule of={row} />
        <DeleteRule of={row} />
      </>
    ),
  ),
]

export const RewardRulesPage = () => {
  const [search, setSearch] = usePageSearch()
  const { history } = search
  const order = orderOf(search, orders, 'EVENT_TYPE')
  const variables = { ...pageOf(search, 50), orderBy: order }
  const query = usePage(rewardRules, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<SetRule />}
      operation={rewardRules}
      variables={variables}
      asked={query}
    >
      {(data) => (
        <>
          <ConnectionTable
            label={texts.title}
            name="reward-rules"
            order={order}
            of={data.rewardRules}
            columns={columns}
            idOf={({ id }) => id}
            empty={<EmptyState icon={IconAward} text={texts.empty} action={<SetRule />} />}
          />
          <HistoryDrawer
            of={history ? { type: 'RewardRule', id: history } : null}
            name={data.rewardRules.nodes.find(({ id }) => id === history)?.eventType ?? ''}
            onClose={() => setSearch({ history: undefined })}
          />
        </>
      )}
    </Page>
  )
}
