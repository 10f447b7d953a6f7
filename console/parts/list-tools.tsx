import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Popover,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type ReactNode, useState } from 'react'
import { type Search, usePageSearch } from '../client/link.tsx'
import { texts } from '../texts/shell-texts.ts'
import type { Column } from './connection-table.tsx'
import { IconAdjustments, IconTrash } from './icons.ts'
import { type ListOrder, searchToSort } from './list-order.ts'
import { useListSettings, viewOf } from './list-settings.ts'

type ListToolsProps = {
  /** The name of the list, as of its table. */
  name: string
  columns: readonly Pick<Column<never>, 'title' | 'sort'>[]
  /** The order of the rows, as of its table. */
  order?: ListOrder
  /** The names of the filters in the URL, which a saved view keeps. */
  filters: readonly string[]
  /** What else can be done with the list, such as its export. */
  children?: ReactNode
}

/** Keeps the filters and the order of the list under a name. A name that is taken gets the new ones. */
const SaveView = ({ onSave }: { onSave: (name: string) => void }) => {
  const [name, setName] = useState('')
  const given = name.trim()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!given) return
        onSave(given)
        setName('')
      }}
    >
      <Group gap={6} wrap="nowrap">
        <TextInput
          aria-label={texts.viewName}
          placeholder={texts.viewName}
          size="xs"
          maxLength={60}
          flex={1}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default" disabled={given === ''}>
          {texts.saveView}
        </Button>
      </Group>
    </form>
  )
}

const Views = ({ name: list, filters }: Pick<ListToolsProps, 'name' | 'filters'>) => {
  const [search, setSearch] = usePageSearch()
  const [{ views }, change] = useListSettings(list)
  const nothing: Search = Object.fromEntries(
    [...filters, 'sort', 'order', 'after', 'before'].map((item) => [item, undefined]),
  )
  const save = (name: string) => {
    const view = { name, search: viewOf(search, filters) }
    change({ views: [...views.filter((view) => view.name !== name), view] })
    notifications.show({ message: texts.savedView, color: 'teal' })
  }
  return (
    <Stack gap={6}>
      <Title order={2} size="h6">
        {texts.savedViews}
      </Title>
      {views.length === 0 && (
        <Text size="xs" c="dimmed">
          {texts.noViews}
        </Text>
      )}
      {views.map((view) => (
        <Group key={view.name} gap={4} wrap="nowrap">
          <Button
            variant="subtle"
            size="compact-sm"
            justify="flex-start"
            flex={1}
            onClick={() => setSearch({ ...nothing, ...view.search })}
          >
            {view.name}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={texts.removeView(view.name)}
            onClick={() => change({ views: views.filter((item) => item !== view) })}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <SaveView onSave={save} />
    </Stack>
  )
}

/** Which columns are shown. The first is the name of a row, and the last its menu: they stay. */
const Columns = ({ name, columns }: Pick<ListToolsProps, 'name' | 'columns'>) => {
  const [{ hidden }, change] = useListSettings(name)
  const optional = columns.slice(1).filter(({ title }) => title !== texts.actions)
  return (
    <Stack gap={6} role="group" aria-label={texts.columns}>
      <Title order={2} size="h6">
        {texts.columns}
      </Title>
      {optional.map(({ title }) => (
        <Checkbox
          key={title}
          size="xs"
          label={title}
          checked={!hidden.includes(title)}
          onChange={({ currentTarget: { checked } }) =>
            change({
              hidden: checked ? hidden.filter((item) => item !== title) : [...hidden, title],
            })
          }
        />
      ))}
    </Stack>
  )
}

/** Sorts on a phone, where a table has no header. */
const SortField = ({ columns, order }: Pick<ListToolsProps, 'columns' | 'order'>) => {
  const [, setSearch] = usePageSearch()
  const sorts = columns.flatMap(({ title, sort }) => (sort ? [{ title, sort }] : []))
  if (!order || sorts.length === 0) return null
  return (
    <Select
      hiddenFrom="sm"
      label={texts.sortNow}
      size="xs"
      allowDeselect={false}
      comboboxProps={{ withinPortal: false }}
      value={order.field}
      data={sorts.map(({ title, sort }) => ({ value: sort.field, label: title }))}
      onChange={(field) => {
        const chosen = sorts.find(({ sort }) => sort.field === field)
        if (chosen) setSearch(searchToSort(order, chosen.sort))
      }}
    />
  )
}

/** What a member does with a list as a whole, beside its filters: views with names, the choice of columns, and more. */
export const ListTools = (props: ListToolsProps) => (
  <Group gap="xs" ms={{ base: 0, sm: 'auto' }} wrap="nowrap">
    {props.children}
    <Popover position="bottom-end" width={320} trapFocus shadow="md" returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconAdjustments size={16} aria-hidden />}>
          {texts.view}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="md">
          <SortField {...props} />
          <Views {...props} />
          <Columns {...props} />
          <Text size="xs" c="dimmed">
            {texts.keptHere}
          </Text>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  </Group>
)
