import { Badge, Group, Text, Tooltip } from '@mantine/core'
import { useChange } from '../client/use-change.ts'
import { endOtherSignIns, endSignIn } from '../generated/account.ts'
import type { AccountQuery } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { column, menuColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { Panel } from '../parts/panel.tsx'
import { accountTexts as texts } from '../texts/account-texts.ts'
import { browserOf } from './browser.ts'

export type SignIns = NonNullable<AccountQuery['viewer']['signIns']>

const EndSignIn = ({ id }: { id: string }) => {
  const change = useChange(endSignIn)
  return (
    <ActionButton
      right="OWN_ACCOUNT"
      size="xs"
      label={texts.end}
      act={() => change.mutateAsync({ input: { signInId: id } })}
      done={texts.ended}
    />
  )
}

const EndOthers = () => {
  const change = useChange(endOtherSignIns)
  return (
    <ActionButton
      right="OWN_ACCOUNT"
      size="xs"
      label={texts.endOthers}
      act={() => change.mutateAsync({})}
      done={texts.endedOthers}
    />
  )
}

const columns: Column<SignIns['nodes'][number]>[] = [
  column(texts.browser, ({ userAgent, isCurrent }) => (
    <Group gap={6} wrap="nowrap">
      <Tooltip label={userAgent} disabled={!userAgent} multiline maw={420}>
        <Text size="sm">{browserOf(userAgent) ?? texts.unknownBrowser}</Text>
      </Tooltip>
      {isCurrent && <Badge>{texts.thisOne}</Badge>}
    </Group>
  )),
  column(texts.network, ({ network }) => network),
  timeColumn(texts.signedIn, ({ createdAt }) => createdAt),
  timeColumn(texts.lastUsed, ({ refreshedAt }) => refreshedAt),
  menuColumn(
    ({ userAgent }) => browserOf(userAgent) ?? texts.unknownBrowser,
    ({ id, isCurrent }) => !isCurrent && <EndSignIn id={id} />,
  ),
]

/** Where the member is signed in. */
export const SignInList = ({ of }: { of: SignIns }) => (
  <Panel title={texts.signIns} isFramed={false} actions={of.nodes.length > 1 && <EndOthers />}>
    <ConnectionTable
      label={texts.signIns}
      of={of}
      columns={columns}
      idOf={({ id }) => id}
      empty={texts.noSignIns}
    />
  </Panel>
)
