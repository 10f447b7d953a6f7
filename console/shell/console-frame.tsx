import { AppShell, Box, Burger, Group, Loader, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { EnvironmentProvider, useViewer, ViewerProvider } from '../client/viewer.tsx'
import { environmentOf } from '../environment.ts'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { texts } from '../texts/shell-texts.ts'
import classes from './console-frame.module.css'
import { EndedSession } from './ended-session.tsx'
import { EnvironmentSwitch } from './environment-switch.tsx'
import { rememberEnvironment } from './last-environment.ts'
import { Navigation } from './navigation.tsx'
import { viewerQuery } from './queries.ts'
import { SearchButton } from './search-button.tsx'
import { useKeys } from './use-keys.ts'
import { usePalette } from './use-palette.tsx'
import { UserMenu } from './user-menu.tsx'
import { ZoneMark } from './zone-mark.tsx'

/** Whose data is shown. */
const PartnerName = () => {
  const { name } = useViewer().partner
  return (
    <Text size="sm" fw={600} truncate miw={0} maw={240} title={name}>
      {name}
    </Text>
  )
}

const Shell = ({ children }: { children: ReactNode }) => {
  const [isOpen, { toggle, close }] = useDisclosure()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(close, [path])
  const { palette, open } = usePalette()
  useKeys(open)
  return (
    <AppShell
      header={{ height: 'calc(3.5rem + var(--toasts, 0px))' }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a href="#content" className={classes['skip']}>
        {texts.skipToContent}
      </a>
      <AppShell.Header pt="var(--toasts, 0px)">
        <Group h="3.5rem" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={texts.openNavigation}
          />
          <Text fw={750} size="lg" visibleFrom="xs" className={classes['brand'] ?? ''}>
            {texts.product}
          </Text>
          <PartnerName />
          <EnvironmentSwitch />
          <Box flex={1} />
          <ZoneMark />
          <SearchButton onClick={open} />
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={texts.pages}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {children}
      </AppShell.Main>
      {palette}
      <EndedSession />
    </AppShell>
  )
}

/** Loads who is signed in, and shows the page in its frame. */
export const ConsoleFrame = () => {
  const environment = environmentOf(useParams({ strict: false }).environment)
  const { data, error, refetch } = useQuery(viewerQuery(environment))
  useEffect(() => {
    rememberEnvironment(environment)
    document.documentElement.dataset['environment'] = environment
  }, [environment])
  if (!data)
    return (
      <Box component="main" p="lg">
        {error ? (
          <RefusalNotice error={error} onRetry={refetch} />
        ) : (
          <Loader aria-label={texts.loading} />
        )}
      </Box>
    )
  return (
    <EnvironmentProvider environment={environment}>
      <ViewerProvider viewer={data.viewer}>
        <Shell>
          <Outlet />
        </Shell>
      </ViewerProvider>
    </EnvironmentProvider>
  )
}
