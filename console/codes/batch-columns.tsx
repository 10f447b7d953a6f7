import { Progress, Text } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import type { CodeBatchRowFragment } from '../generated/types.ts'
import { column, numberColumn, sortable, statusColumn, timeColumn } from '../parts/columns.tsx'
import type { Column } from '../parts/connection-table.tsx'
import { numberText } from '../parts/formats.ts'
import { codesTexts as texts } from '../texts/codes-texts.ts'

/** How many codes of a batch are redeemed. */
export const BatchProgress = ({ of }: { of: CodeBatchRowFragment }) => {
  const text = texts.progress(numberText(of.redeemedCount), numberText(of.codeCount))
  return (
    <>
      <Text size="sm">{text}</Text>
      <Progress
        value={(100 * of.redeemedCount) / of.codeCount}
        size="sm"
        miw={110}
        aria-label={`${texts.redeemed}: ${text}`}
      />
    </>
  )
}

export const batchOrders = { CREATED_AT: 'DESC' } as const

export const batchColumns: Column<CodeBatchRowFragment>[] = [
  column(texts.batch, ({ id, label }) => (
    <PageLink page="codes" id={id} size="sm" fw={600}>
      {label ?? texts.unnamed}
    </PageLink>
  )),
  column(texts.campaign, ({ campaign }) => (
    <PageLink page="campaigns" id={campaign.id} size="sm">
      {campaign.name}
    </PageLink>
  )),
  numberColumn(texts.points, ({ points }) => points),
  column(texts.redeemed, (batch) => <BatchProgress of={batch} />),
  statusColumn(texts.status, ({ status }) => status),
  timeColumn(texts.expires, ({ expiresAt }) => expiresAt),
  sortable(
    batchOrders,
    'CREATED_AT',
    timeColumn(texts.created, ({ createdAt }) => createdAt),
  ),
]
