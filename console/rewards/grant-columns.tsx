/** Columns of lists of what users have been given. */
import { Text } from '@mantine/core'
import type { GrantRowFragment } from '../generated/types.ts'
import { column, timeColumn } from '../parts/columns.tsx'
import type { Column } from '../parts/connection-table.tsx'
import { numberText, timeText } from '../parts/formats.ts'
import { Status } from '../parts/status.tsx'
import { grantsTexts as texts } from '../texts/rewards-texts.ts'

/** What ready means: the user has to claim it, or is about to get it. */
export const grantStatusText = ({
  status,
  needsClaim,
}: Pick<GrantRowFragment, 'status' | 'needsClaim'>) =>
  status === 'READY' && !needsClaim ? texts.onItsWay : texts.statuses[status]

/** Until when it is held or can be claimed, or what could not be taken back. */
const detailOf = ({ status, heldUntil, claimExpiresAt, shortfall }: GrantRowFragment) => {
  if (status === 'HELD' && heldUntil) return texts.heldUntil(timeText(heldUntil))
  if (status === 'READY' && claimExpiresAt) return texts.claimUntil(timeText(claimExpiresAt))
  return shortfall ? texts.shortfall(numberText(shortfall)) : null
}

const GrantStatus = ({ of }: { of: GrantRowFragment }) => {
  const detail = detailOf(of)
  return (
    <>
      <Status of={of.status} label={grantStatusText(of)} />
      {detail && (
        <Text size="xs" c="dimmed" mt={2} maw={260}>
          {detail}
        </Text>
      )}
    </>
  )
}

export const grantColumns = <Row extends GrantRowFragment>(): Column<Row>[] => [
  column(texts.status, (grant) => <GrantStatus of={grant} />),
  column(texts.source, ({ source, note }) => (
    <>
      {texts.sources[source]}
      {note && (
        <Text size="xs" c="dimmed" maw={260}>
          {note}
        </Text>
      )}
    </>
  )),
  timeColumn(texts.given, ({ createdAt }) => createdAt),
]
