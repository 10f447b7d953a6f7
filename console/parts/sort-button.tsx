import { UnstyledButton } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { usePageSearch } from '../client/link.tsx'
import { IconArrowDown, IconArrowUp } from './icons.ts'
import { type ListOrder, searchToSort } from './list-order.ts'
import classes from './table.module.css'

/** The title of a column by which the list can be sorted. */
export const SortButton = (props: { label: string; first: ListOrder; order: ListOrder }) => {
  const { label, first, order } = props
  const [, setSearch] = usePageSearch()
  const button = useRef<HTMLButtonElement>(null)
  const direction = order.field === first.field ? order.direction : null
  // The table renders its header cells itself, and has no property for this.
  useEffect(() => {
    const cell = button.current?.closest('th')
    const names = { ASC: 'ascending', DESC: 'descending' }
    cell?.setAttribute('aria-sort', direction ? names[direction] : 'none')
  }, [direction])
  const Arrow = (direction ?? first.direction) === 'ASC' ? IconArrowUp : IconArrowDown
  return (
    <UnstyledButton
      ref={button}
      className={classes['sort'] ?? ''}
      mod={{ sorted: direction !== null }}
      onClick={() => setSearch(searchToSort(order, first))}
    >
      {label}
      <Arrow size={14} aria-hidden />
    </UnstyledButton>
  )
}
