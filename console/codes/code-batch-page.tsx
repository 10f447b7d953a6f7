import { Group, Stack } from '@mantine/core'
import { PageLink, usePageId, usePageSearch } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { codeBatch, revokeCodeBatch } from '../generated/code-batch.ts'
import { pageOf } from '../parts/connection-table.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { Facts } from '../parts/facts.tsx'
import { numberText } from '../parts/formats.ts'
import { NoSuch } from '../parts/no-such.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { RelativeTime } from '../parts/when.tsx'
import { codesTexts as texts } from '../texts/codes-texts.ts'
import { BatchProgress } from './batch-columns.tsx'
import { CodeList, codeFilterOf, type ShownBatch } from './code-list.tsx'

const Revoke = ({ of: { id, label } }: { of: ShownBatch }) => {
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

const BatchView = ({ of }: { of: ShownBatch }) => (
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
    <CodeList of={of} />
  </Stack>
)

/** One batch: its codes, and who redeemed them. */
export const CodeBatchPage = () => {
  const [search] = usePageSearch()
  const variables = { id: usePageId(), ...pageOf(search, 25), filter: codeFilterOf(search) }
  const query = usePage(codeBatch, variables)
  const node = query.data?.node
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
      asked={query}
      noSuch={texts.noSuchBatch}
    >
      {() => (batch ? <BatchView of={batch} /> : <NoSuch text={texts.noSuchBatch} />)}
    </Page>
  )
}
