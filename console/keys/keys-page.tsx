import { Badge, Switch, Text } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { keys } from '../generated/keys.ts'
import { column, menuColumn, sortable, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable, pageOf } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconKey } from '../parts/icons.ts'
import { orderOf } from '../parts/list-order.ts'
import { Page } from '../parts/page.tsx'
import { keysTexts as texts } from '../texts/keys-texts.ts'
import { CreateKey, CreateKeyButton } from './create-key.tsx'
import { EditKey } from './edit-key.tsx'
import type { KeyRow } from './key-row.ts'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey } from './rotate-key.tsx'

const orders = { CREATED_AT: 'DESC' } as const

const columns: Column<KeyRow>[] = [
  column(texts.key, ({ label, lastFour }) => (
    <>
      <Text size="sm" fw={600}>
        {label ?? '–'}
      </Text>
      <Text size="xs" c="dimmed" ff="monospace">
        …{lastFour}
      </Text>
    </>
  )),
  column(texts.kind, ({ kind }) => (
    <Badge color={kind === 'SECRET' ? 'ember' : 'blue'}>{texts.kinds[kind]}</Badge>
  )),
  column(texts.application, ({ application }) => application.name),
  column(texts.scopes, ({ scopes }) =>
    scopes.length === 0 ? texts.allScopes : texts.scopesOf(scopes.length),
  ),
  timeColumn(texts.lastUsed, ({ lastUsedAt }) => lastUsedAt),
  sortable(
    orders,
    'CREATED_AT',
    timeColumn(texts.created, ({ createdAt }) => createdAt),
  ),
  timeColumn(texts.expires, ({ expiresAt }) => expiresAt),
  menuColumn(
    ({ label, lastFour }) => label ?? lastFour,
    (row) =>
      row.revokedAt ? (
        <Badge color="red">{texts.revoked}</Badge>
      ) : (
        <>
          <EditKey of={row} />
          <RotateKey of={row} />
          <RevokeKey of={row} />
        </>
      ),
  ),
]

export const KeysPage = () => {
  const [search, setSearch] = usePageSearch()
  const isWithRevoked = search['revoked'] === 'yes'
  const order = orderOf(search, orders, 'CREATED_AT')
  const variables = {
    ...pageOf(search, 25),
    orderBy: order,
    ...(!isWithRevoked && { filter: { isRevoked: false } }),
  }
  const query = usePage(keys, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<CreateKeyButton />}
      operation={keys}
      variables={variables}
      asked={query}
    >
      {({ apiKeys, applications }) => (
        <>
          <Switch
            mb="sm"
            label={texts.showRevoked}
            checked={isWithRevoked}
            onChange={({ currentTarget }) =>
              setSearch({ revoked: currentTarget.checked ? 'yes' : undefined, after: undefined })
            }
          />
          <ConnectionTable
            label={texts.title}
            name="keys"
            order={order}
            of={apiKeys}
            columns={columns}
            idOf={({ id }) => id}
            empty={<EmptyState icon={IconKey} text={texts.empty} action={<CreateKeyButton />} />}
          />
          <CreateKey applications={applications.nodes} />
        </>
      )}
    </Page>
  )
}
