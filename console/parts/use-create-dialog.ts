import { useDisclosure } from '@mantine/hooks'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { type Search, usePageSearch } from '../client/link.tsx'
import { type RightName, useMissingRight } from '../client/viewer.tsx'

/** The visit of a page that has opened its dialog. An empty list has the same button a second time. */
let openedVisit: string | undefined

/**
 * Whether the dialog of a new object is open. A link with `?create=yes` opens it, and the address forgets that then.
 * `isLinked` is false for a button that such a link does not mean.
 */
export const useCreateDialog = (right?: RightName, isLinked = true) => {
  const [isOpen, dialog] = useDisclosure()
  const [, setSearch] = usePageSearch()
  const mayCreate = useMissingRight(right) === null
  /** Undefined unless the address asks for the dialog. The page that is left does not see the next address. */
  const visit = useRouterState({
    select: ({ resolvedLocation: current }) =>
      (current?.search as Search)?.['create'] === 'yes' ? current?.state.__TSR_key : undefined,
  })
  const follow = useEffectEvent(() => {
    if (!isLinked || !mayCreate || visit === undefined || visit === openedVisit) return
    openedVisit = visit
    dialog.open()
    setSearch({ create: undefined }, { replace: true })
  })
  useEffect(follow, [visit])
  return [isOpen, dialog] as const
}
