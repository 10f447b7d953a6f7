import { NavLink, type NavLinkProps, ScrollArea, Text } from '@mantine/core'
import { createLink, useRouterState } from '@tanstack/react-router'
import { forwardRef, useEffect, useRef } from 'react'
import { usePathOf } from '../client/link.tsx'
import { pageNames, sectionNames } from '../texts/shell-texts.ts'
import classes from './console-frame.module.css'
import { type PageEntry, pages } from './pages.ts'
import { useMaySee } from './require-right.tsx'

const RouterNavLink = createLink(
  forwardRef<HTMLAnchorElement, Omit<NavLinkProps, 'color'>>((props, ref) => (
    <NavLink component="a" ref={ref} {...props} />
  )),
)

const PageNavLink = ({ page }: { page: PageEntry }) => {
  const pathOf = usePathOf()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const to = pathOf({ page: page.name })
  const isHere = path === to || path.startsWith(`${to}/`)
  const Icon = page.icon
  return (
    <RouterNavLink
      to={to}
      label={pageNames[page.name]}
      leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      py={6}
    />
  )
}

/** The height at the lower end of the navigation in which links fade out. */
const fadePx = 56

/** Scrolls the navigation so that the link of the current page is visible. */
const showHere = (navigation: HTMLDivElement | null) => {
  const currentLink = navigation?.querySelector('[aria-current=page]')
  if (!navigation || !currentLink) return
  const [link, view] = [currentLink.getBoundingClientRect(), navigation.getBoundingClientRect()]
  // On a phone it is closed.
  if (view.height === 0) return
  const below = link.bottom - view.bottom + fadePx
  const above = view.top - link.top
  if (below > 0) navigation.scrollTop += below
  else if (above > 0) navigation.scrollTop -= above
}

/** All pages that the member may see, by section. */
export const Navigation = () => {
  const viewport = useRef<HTMLDivElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => showHere(viewport.current), [path])
  const maySee = useMaySee()
  const shown = pages.filter(maySee)
  const sections = [undefined, ...(Object.keys(sectionNames) as (keyof typeof sectionNames)[])]
  return (
    <ScrollArea
      type="auto"
      scrollbars="y"
      offsetScrollbars="present"
      scrollbarSize={8}
      classNames={{ viewport: classes['navigation'] ?? '' }}
      viewportRef={viewport}
      flex={1}
      mih={0}
    >
      {sections.map((section) => {
        const ofSection = shown.filter((page) => page.section === section)
        if (ofSection.length === 0) return null
        return (
          <div key={section ?? ''}>
            {section && (
              <Text component="h2" className={classes['section'] ?? ''}>
                {sectionNames[section]}
              </Text>
            )}
            {ofSection.map((page) => (
              <PageNavLink key={page.name} page={page} />
            ))}
          </div>
        )
      })}
    </ScrollArea>
  )
}
