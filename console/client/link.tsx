import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { forwardRef, type ReactNode } from 'react'
import { segmentOf } from '../environment.ts'
import type { pageNames } from '../texts/shell-texts.ts'
import { useEnvironment } from './viewer.tsx'

/** The pages of the console, by their path. */
export type PageName = keyof typeof pageNames

/** The state in the query string of a page: filters, tabs, cursors. */
export type Search = Record<string, string | undefined>

export type PagePlace = { page: PageName; id?: string; search?: Search }

const RouterAnchor = createLink(
  forwardRef<HTMLAnchorElement, AnchorProps>((props, ref) => <Anchor ref={ref} {...props} />),
)

const RouterButton = createLink(
  forwardRef<HTMLAnchorElement, ButtonProps>((props, ref) => (
    <Button component="a" ref={ref} {...props} />
  )),
)

/** The path of a page, below `/console`. */
export const usePathOf = () => {
  const environment = useEnvironment()
  return ({ page, id }: PagePlace) =>
    `/${segmentOf(environment)}/${page}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`
}

/** A link to a page of the same environment. */
export const PageLink = ({
  children,
  ...place
}: PagePlace & { children: ReactNode } & Omit<AnchorProps, 'children'>) => {
  const { page, id, search, ...props } = place
  const pathOf = usePathOf()
  return (
    <RouterAnchor
      to={pathOf(id === undefined ? { page } : { page, id })}
      search={search ?? {}}
      {...props}
    >
      {children}
    </RouterAnchor>
  )
}

/** A link that looks like a button, for the next step on another page. */
export const PageButton = ({ page, children }: { page: PageName; children: ReactNode }) => {
  const pathOf = usePathOf()
  return <RouterButton to={pathOf({ page })}>{children}</RouterButton>
}

export const useGoTo = () => {
  const navigate = useNavigate()
  const pathOf = usePathOf()
  return (place: PagePlace) => navigate({ to: pathOf(place), search: place.search ?? {} })
}

/** The query string of the page, and a function that changes parts of it. */
export const usePageSearch = () => {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const setSearch = (changes: Search, { replace = false } = {}) =>
    navigate({
      to: '.',
      replace,
      search: Object.fromEntries(
        Object.entries({ ...search, ...changes }).filter(([, value]) => value),
      ),
    })
  return [search, setSearch] as const
}

/** The id of the object that the page shows. */
export const usePageId = (): string => {
  const { id } = useParams({ strict: false }) as { id?: string }
  if (id === undefined) throw new Error('usePageId is used on a page without an id')
  return id
}
