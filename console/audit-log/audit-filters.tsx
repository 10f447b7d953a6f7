import { Group, Pill, Select, Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePageSearch } from '../client/link.tsx'
import { auditPeople } from '../generated/audit-log.ts'
import { FoundSelect } from '../parts/found-select.tsx'
import { type Period, PeriodField } from '../parts/period.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { actionNames, kindNames, auditLogTexts as texts } from '../texts/audit-log-texts.ts'

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const choicesOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names)
    .map(([value, text]) => ({ value, label: capital(text.replace(/:$/, '')) }))
    .sort((first, other) => first.label.localeCompare(other.label))

const kinds = choicesOf(kindNames)
/** Several mutations may do the same in words, so each is listed once with all of them. */
const actions = choicesOf(actionNames)
const uniqueActions = actions.filter(
  ({ label }, i) => actions.findIndex((action) => action.label === label) === i,
)

/** The names of the filters in the URL. */
export const auditFilterNames = [
  ...(['search', 'person', 'kind', 'action', 'target', 'refused'] as const),
  ...(['period', 'from', 'to'] as const),
]

/** The filter of the list, from the URL, without its period. */
export const auditFilterOf = ({
  person,
  kind,
  action,
  target,
  refused,
  search,
}: Record<string, string | undefined>) => ({
  ...(person && { actorId: person }),
  ...(kind && { targetTypes: [kind] }),
  ...(action && { action }),
  ...(target && { targetId: target }),
  ...(refused === 'yes' && { isRefused: true }),
  ...(search && { search }),
})

/** A filter that other pages set, and that can only be removed here. */
const Removable = ({ name, label }: { name: string; label: string }) => {
  const [search, setSearch] = usePageSearch()
  return (
    search[name] && (
      <Pill
        size="md"
        withRemoveButton
        removeButtonProps={{ 'aria-label': texts.removeFilter, 'aria-hidden': false, tabIndex: 0 }}
        onRemove={() => setSearch({ [name]: undefined, after: undefined, before: undefined })}
      >
        {label}
      </Pill>
    )
  )
}

/** Filters by name of the object, person, kind of object, action and time. */
export const AuditFilters = (props: { period: Period | null; children: ReactNode }) => {
  const [search, setSearch] = usePageSearch()
  const set = (name: string) => (value: string | null) =>
    setSearch({ [name]: value ?? undefined, after: undefined, before: undefined })
  return (
    <Group mb="sm" gap="sm" align="flex-end">
      <SearchField label={texts.searchObject} />
      <FoundSelect
        operation={auditPeople}
        choicesOf={({ members }) =>
          members.nodes.map(({ id, email }) => ({ value: id, label: email }))
        }
        label={texts.person}
        placeholder={texts.anybody}
        clearable
        value={search['person'] ?? null}
        onChange={set('person')}
      />
      <Select
        label={texts.kind}
        placeholder={texts.anyKind}
        searchable
        clearable
        data={kinds}
        value={search['kind'] ?? null}
        onChange={set('kind')}
      />
      <Select
        label={texts.action}
        placeholder={texts.anyAction}
        searchable
        clearable
        data={uniqueActions}
        value={search['action'] ?? null}
        onChange={set('action')}
      />
      <Switch
        label={texts.onlyRefused}
        mb={8}
        checked={search['refused'] === 'yes'}
        onChange={({ currentTarget }) => set('refused')(currentTarget.checked ? 'yes' : null)}
      />
      <PeriodField of={props.period} />
      <Removable name="target" label={texts.onlyObject} />
      {props.children}
    </Group>
  )
}
