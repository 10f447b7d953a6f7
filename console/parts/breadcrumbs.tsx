import { Text } from '@mantine/core'
import { useParams, useRouterState } from '@tanstack/react-router'
import { PageLink, type PageName } from '../client/link.tsx'
import { pageNames, texts } from '../texts/shell-texts.ts'
import classes from './breadcrumbs.module.css'
import { IconChevronRight } from './icons.ts'

/** Where the page of an object is: its list, the object, and the part of it that is shown. Lists have none. */
export const Breadcrumbs = ({ name, part }: { name: string; part: string | undefined }) => {
  const { id } = useParams({ strict: false }) as { id?: string }
  const path = useRouterState({ select: ({ location }) => location.pathname })
  if (id === undefined) return null
  const page = path.split('/')[2] as PageName
  const current = part ?? name
  return (
    <Text component="nav" size="sm" mb={4} aria-label={texts.breadcrumbs}>
      <ol className={classes['crumbs']}>
        <li>
          <PageLink page={page} inherit>
            {pageNames[page]}
          </PageLink>
        </li>
        {part !== undefined && (
          <li>
            <IconChevronRight size={14} aria-hidden />
            <PageLink page={page} id={id} inherit>
              {name}
            </PageLink>
          </li>
        )}
        <li aria-current="page">
          <IconChevronRight size={14} aria-hidden />
          <span title={current}>{current}</span>
        </li>
      </ol>
    </Text>
  )
}
