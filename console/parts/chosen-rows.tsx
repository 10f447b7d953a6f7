import { Checkbox, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts/shell-texts.ts'
import { numberText } from './formats.ts'

/** The ids of chosen rows. */
export type Chosen = { ids: ReadonlySet<string>; set: (ids: ReadonlySet<string>) => void }

const toggled = (ids: ReadonlySet<string>, id: string) =>
  new Set(ids.has(id) ? [...ids].filter((item) => item !== id) : [...ids, id])

/** The content of the first column of a list whose rows can be chosen. */
export const ChoosableCell = (props: {
  id: string
  /** What the box says to a screen reader. */
  label: string
  chosen: Chosen
  isChoosable?: boolean
  children: ReactNode
}) => {
  const { id, label, chosen, isChoosable = true, children } = props
  const { ids, set } = chosen
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      {isChoosable && (
        <Checkbox aria-label={label} checked={ids.has(id)} onChange={() => set(toggled(ids, id))} />
      )}
      <div>{children}</div>
    </Group>
  )
}

/** How many rows of a page are chosen, and what is done with all of them. */
export const ChosenBar = <Row extends { id: string }>(props: {
  /** The rows that can be chosen. */
  of: readonly Row[]
  chosen: Chosen
  children: (rows: Row[]) => ReactNode
}) => {
  const { of, chosen, children } = props
  const all = of.filter(({ id }) => chosen.ids.has(id))
  return (
    <Group justify="space-between" mih={36}>
      {of.length > 0 ? (
        <Checkbox
          label={texts.chooseAll}
          checked={all.length === of.length}
          indeterminate={all.length > 0 && all.length < of.length}
          onChange={({ currentTarget: { checked } }) =>
            chosen.set(new Set(checked ? of.map(({ id }) => id) : []))
          }
        />
      ) : (
        <span />
      )}
      <Group gap="sm">
        {all.length > 0 && (
          <Text size="sm" c="dimmed" role="status">
            {texts.chosen(numberText(all.length))}
          </Text>
        )}
        {children(all)}
      </Group>
    </Group>
  )
}
