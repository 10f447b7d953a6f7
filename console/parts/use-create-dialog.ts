import { useDisclosure } from '@mantine/hooks'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { usePageSearch } from '../client/link.tsx'
import { type RightName, useMissingRight } from '../client/viewer.tsx'

/** The visit of a page that has opened its dialog. An empty list has the same button a second time. */
let openedVisit: string | undefined

/**
 * Whether the dialog of a new object is open. A link with `?create=yes` opens it, and the address forgets that then.
 * `isLinked` is false for a button that such a link does not mean.
 */
export const useCreateDialog = (right?: RightName, isLinked = true) => {
  const [isOpen, dialog] = useDisclosure()
  const [{ create }, setSearch] = usePageSearch()
  const visit = useRouterState({ select: ({ location }) => location.state.__TSR_key })
  const mayCreate = useMissingRight(right) === null
  const follow = useEffectEvent(() => {
    if (!isLinked || create !== 'yes' || !mayCreate || visit === openedVisit) return
    openedVisit = visit
    dialog.open()
    setSearch({ create: undefined }, { replace: true })
  })
  useEffect(follow, [create, visit])
  return [isOpen, dialog] as const
}
