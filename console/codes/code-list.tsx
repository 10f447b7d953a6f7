import { Code, Group, Text } from '@mantine/core'
import { type Search, usePageSearch } from '../client/link.tsx'
import { ExportList } from '../exports/export-list.tsx'
import type { CampaignCodeFilter, CodeBatchQuery } from '../generated/types.ts'
import { ChoiceField, chosen } from '../parts/choice-field.tsx'
import { column, menuColumn, statusColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconTicket } from '../parts/icons.ts'
import { Panel } from '../parts/panel.tsx'
import { PublicPage } from '../parts/public-page.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { codesTexts as texts } from '../texts/codes-texts.ts'
import { RevokeCode } from './revoke-code.tsx'

export type ShownBatch = Extract<CodeBatchQuery['node'], { __typename: 'CodeBatch' }>
type Listed = ShownBatch['codes']['nodes'][number]

/** The number of last characters that are stored. */
const endingLength = 4

const states = ['REDEEMED', 'OPEN', 'REVOKED'] as const

/** Which codes the address asks for. */
export const codeFilterOf = (search: Search): CampaignCodeFilter => {
  const state = chosen(search['state'], states)
  return {
    ...(search['ending'] && { ending: search['ending'].slice(0, endingLength) }),
    ...(state === 'REDEEMED' && { isRedeemed: true }),
    ...(state === 'OPEN' && { isRedeemed: false, isRevoked: false }),
    ...(state === 'REVOKED' && { isRevoked: true }),
  }
}

const nameOf = ({ ending }: Listed) => (ending ? texts.endsWith(ending) : texts.endingUnknown)

const columns: Column<Listed>[] = [
  column(texts.code, (code) =>
    code.ending ? <Code>{nameOf(code)}</Code> : <Text size="sm">{nameOf(code)}</Text>,
  ),
  statusColumn(texts.status, ({ status }) => status),
  column(texts.redeemedBy, ({ redemption }) => redemption && <UserLink of={redemption.user} />),
  timeColumn(texts.changedAt, ({ redemption, revokedAt }) => redemption?.redeemedAt ?? revokedAt),
  menuColumn(
    nameOf,
    (code) =>
      !code.redemption &&
      code.status !== 'REVOKED' && <RevokeCode of={{ id: code.id }} name={nameOf(code)} />,
  ),
]

/** The next step towards a first redemption; null where there was one, or cannot be. */
const FirstStep = ({ of: { status, redeemedCount, campaign } }: { of: ShownBatch }) => {
  if (redeemedCount > 0 || status !== 'ACTIVE' || campaign.phase === 'ENDED') return null
  const isActive = campaign.phase === 'ACTIVE'
  const redeemText = campaign.needsUserToken ? texts.redeemFromApp : texts.redeemOnPage
  return (
    <Group gap="sm" mb="sm">
      <Text size="sm" c="dimmed">
        {isActive ? redeemText : texts.startFirst}
      </Text>
      {isActive && <PublicPage url={campaign.pageUrl} />}
    </Group>
  )
}

/** The codes of a batch: those that were redeemed last come first, then the others. */
export const CodeList = ({ of }: { of: ShownBatch }) => {
  const [search] = usePageSearch()
  const { isRedeemed, ...others } = codeFilterOf(search)
  const isWhole = isRedeemed === undefined && Object.keys(others).length === 0
  return (
    <Panel title={texts.codeCount} hint={texts.codesHint} isFramed={false}>
      <FirstStep of={of} />
      <Group gap="xs" mb="sm">
        <SearchField label={texts.ending} name="ending" maxLength={endingLength} />
        <ChoiceField
          label={texts.status}
          name="state"
          values={states}
          labelOf={(value) => texts.states[value as (typeof states)[number]]}
        />
        {/* The file has no filter by the last characters or by revocation. */}
        {Object.keys(others).length === 0 && (
          <ExportList
            {...(isWhole && { label: texts.exportAll })}
            kind="CODES"
            filter={{ codeBatchId: of.id, ...(isRedeemed !== undefined && { isRedeemed }) }}
          />
        )}
      </Group>
      <ConnectionTable
        label={texts.codeCount}
        of={of.codes}
        columns={columns}
        idOf={({ id }) => id}
        isFiltered={!isWhole}
        empty={<EmptyState icon={IconTicket} text={texts.empty} />}
      />
    </Panel>
  )
}
