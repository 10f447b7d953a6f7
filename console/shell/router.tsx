import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router'
import { environmentOf, segmentOf } from '../environment.ts'
import { NotFound } from '../parts/not-found.tsx'
import { ConsoleFrame } from './console-frame.tsx'
import { lastEnvironment } from './last-environment.ts'
import { LiveOnlyNotice } from './live-only-notice.tsx'
import { type PageEntry, pages } from './pages.ts'
import { queries, viewerQuery } from './queries.ts'
import { RequireRight } from './require-right.tsx'

const rootRoute = createRootRoute({ component: Outlet })

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: `/${segmentOf(lastEnvironment())}/overview` })
  },
})

const environmentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$environment',
  params: {
    parse: ({ environment }) => ({ environment: environment as 'live' | 'test' }),
  },
  beforeLoad: ({ params: { environment } }) => {
    if (environment !== 'live' && environment !== 'test') throw notFound()
  },
  // Not awaited: it loads in parallel with the code of the page.
  loader: ({ params }) => {
    queries.prefetchQuery(viewerQuery(environmentOf(params.environment)))
  },
  component: ConsoleFrame,
})

const environmentIndexRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: `/${params.environment}/overview` })
  },
})

const isOfArena = ({ name, section }: PageEntry) =>
  section === 'arena' || name === 'review-queue' || name === 'all-agents'

const pageRoute = (page: PageEntry, path: string, load: PageEntry['load']) => {
  const Page = lazyRouteComponent(async () => ({ default: await load() }))
  const component = () => (
    <RequireRight right={page.right}>
      {isOfArena(page) && <LiveOnlyNotice />}
      <Page />
    </RequireRight>
  )
  return createRoute({
    getParentRoute: () => environmentRoute,
    path,
    // The router loads the code before it shows the page. React would show a fallback instead, for at least 300 ms.
    component: Object.assign(component, { preload: async () => Page.preload?.() }),
  })
}

const pageRoutes = pages.flatMap((page) => [
  pageRoute(page, page.name, page.load),
  ...(page.loadOne ? [pageRoute(page, `${page.name}/$id`, page.loadOne)] : []),
])

export const router = createRouter({
  basepath: '/console',
  routeTree: rootRoute.addChildren([
    indexRoute,
    environmentRoute.addChildren([environmentIndexRoute, ...pageRoutes]),
  ]),
  // Values in the query string are text: `?tier=2` and not `?tier="2"`.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(String),
  defaultNotFoundComponent: NotFound,
  defaultPreload: 'intent',
  scrollRestoration: true,
})
