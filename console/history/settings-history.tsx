import { Badge, Drawer, Group, Stack, Text } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { useMissingRight } from '../client/viewer.tsx'
import {
  campaignHistory,
  lotteryHistory,
  offerRuleHistory,
  rewardRuleHistory,
} from '../generated/history.ts'
import type { SettingsVersionRowFragment, SettingsVersionsFragment } from '../generated/types.ts'
import type { Operation } from '../operation.ts'
import { actionsColumn, column, timeColumn, wide } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { PageSkeleton } from '../parts/page.tsx'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { historyTexts as texts } from '../texts/history-texts.ts'
import { summaryOf } from './changes.ts'
import { type Kept, RestoreButton } from './restore.tsx'

type Listed = Exclude<Kept, { type: 'Game' }>

/** More cost more than a request may. */
const size = 25

type VersionRow = SettingsVersionRowFragment

export const authorOf = ({ actor }: Pick<VersionRow, 'actor'>) => {
  if (!actor) return texts.nobody
  return actor.__typename === 'Member'
    ? actor.email
    : texts.keyName(actor.label ?? '', actor.lastFour)
}

const isCurrent = ({ version, currentVersion }: VersionRow) => version === currentVersion

/** @param first the number of the first version that is kept, if the list has it */
const columnsFor = (of: Kept, first: number | null): Column<VersionRow>[] => [
  column(texts.version, (row) => (
    <Group gap={6} wrap="nowrap">
      {row.version}
      {isCurrent(row) && (
        <Badge size="sm" variant="light">
          {texts.current}
        </Badge>
      )}
    </Group>
  )),
  wide(
    column(texts.changes, ({ changes, version }) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {summaryOf(changes, 3) || (version === first ? texts.firstVersion : texts.unchanged)}
      </Text>
    )),
  ),
  column(texts.changedBy, authorOf),
  timeColumn(texts.changedAt, ({ createdAt }) => createdAt),
  actionsColumn((row) => row.restores.length > 0 && <RestoreButton of={of} restorable={row} />),
]

type HistoryQuery = { node: { versions?: SettingsVersionsFragment | null } | object | null }

/** The list of each kind. One operation for all of them would cost as much as all of them. */
const operations = {
  RewardRule: rewardRuleHistory,
  OfferRule: offerRuleHistory,
  Campaign: campaignHistory,
  Lottery: lotteryHistory,
} as Record<Listed['type'], Operation<HistoryQuery, { id: string; first: number }>>

const versionsIn = ({ node }: HistoryQuery) =>
  node && 'versions' in node ? (node.versions ?? null) : null

/** All changes of an object, for those who may read the audit log. */
const InAuditLog = ({ id }: { id: string }) =>
  useMissingRight('AUDIT_READ') === null && (
    <PageLink page="audit-log" search={{ target: id }} size="sm">
      {texts.inAuditLog}
    </PageLink>
  )

/** The versions of the settings of an object, newest first, each of which can be restored. */
export const SettingsHistory = ({ of }: { of: Listed }) => {
  const { data, error, refetch } = usePage(operations[of.type], { id: of.id, first: size })
  if (error) return <RefusalNotice error={error} onRetry={refetch} />
  if (!data) return <PageSkeleton />
  const versions = versionsIn(data)
  if (!versions) return <Text c="dimmed">{texts.notYours}</Text>
  const isCut = (versions.totalCount?.value ?? 0) > size
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {isCut ? `${texts.hint} ${texts.newest(size)}` : texts.hint}
      </Text>
      <ConnectionTable
        label={texts.history}
        of={{ nodes: versions.nodes }}
        columns={columnsFor(of, isCut ? null : (versions.nodes.at(-1)?.version ?? null))}
        idOf={({ version }) => String(version)}
        empty={null}
      />
      <InAuditLog id={of.id} />
    </Stack>
  )
}

/** The history of an object that has no page of its own. */
export const HistoryDrawer = (props: {
  of: Listed | null
  /** What the object is called. */
  name: string
  onClose: () => void
}) => {
  const { of, name, onClose } = props
  return (
    <Drawer
      opened={of !== null}
      onClose={onClose}
      position="right"
      size="xl"
      title={`${texts.history}: ${name}`}
    >
      {of && <SettingsHistory of={of} />}
    </Drawer>
  )
}
