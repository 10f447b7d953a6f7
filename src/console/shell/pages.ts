/** Every page of the console: where it is, what it needs, and how it loads. */
import {
  type Icon,
  IconAward,
  IconBroadcast,
  IconBuilding,
  IconBuildingStore,
  IconChartFunnel,
  IconChecklist,
  IconClipboardList,
  IconClock,
  IconCoins,
  IconConfetti,
  IconDeviceGamepad2,
  IconFileExport,
  IconGift,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconPlugConnected,
  IconRobot,
  IconRocket,
  IconSwords,
  IconTargetArrow,
  IconTicket,
  IconTrophy,
  IconUser,
  IconUsers,
  IconUsersGroup,
  IconWand,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { PageName } from '../client/link.tsx'
import type { RightName } from '../client/viewer.tsx'
import type { sectionNames } from '../texts/shell-texts.ts'

export type PageEntry = {
  name: PageName
  section?: keyof typeof sectionNames
  icon: Icon
  /** The right that the page requires. Without it, the page says that the role may not see it. */
  right?: RightName | 'OPERATOR'
  load: () => Promise<() => ReactNode>
  /** The page of one object, at `name/$id`. */
  loadOne?: () => Promise<() => ReactNode>
}

export const pages: readonly PageEntry[] = [
  {
    name: 'overview',
    icon: IconLayoutDashboard,
    right: 'READ',
    load: async () => (await import('../overview/overview-page.tsx')).OverviewPage,
  },
  {
    name: 'start',
    icon: IconRocket,
    right: 'KEYS_READ',
    load: async () => (await import('../start/start-page.tsx')).StartPage,
  },
  {
    name: 'users',
    section: 'players',
    icon: IconUsers,
    right: 'READ',
    load: async () => (await import('../users/users-page.tsx')).UsersPage,
    loadOne: async () => (await import('../users/user-page.tsx')).UserPage,
  },
  {
    name: 'ledger',
    section: 'players',
    icon: IconListDetails,
    right: 'READ',
    load: async () => (await import('../ledger/ledger-page.tsx')).LedgerPage,
  },
  {
    name: 'segments',
    section: 'players',
    icon: IconTargetArrow,
    right: 'READ',
    load: async () => (await import('../segments/segments-page.tsx')).SegmentsPage,
    loadOne: async () => (await import('../segments/segment-page.tsx')).SegmentPage,
  },
  {
    name: 'funnel',
    section: 'players',
    icon: IconChartFunnel,
    right: 'READ',
    load: async () => (await import('../funnel/funnel-page.tsx')).FunnelPage,
  },
  {
    name: 'offers',
    section: 'players',
    icon: IconGift,
    right: 'READ',
    load: async () => (await import('../offers/offers-page.tsx')).OffersPage,
  },
  {
    name: 'games',
    section: 'engage',
    icon: IconDeviceGamepad2,
    right: 'READ',
    load: async () => (await import('../games/games-page.tsx')).GamesPage,
    loadOne: async () => (await import('../games/game-page.tsx')).GamePage,
  },
  {
    name: 'reward-rules',
    section: 'engage',
    icon: IconAward,
    right: 'READ',
    load: async () => (await import('../reward-rules/reward-rules-page.tsx')).RewardRulesPage,
  },
  {
    name: 'campaigns',
    section: 'engage',
    icon: IconConfetti,
    right: 'READ',
    load: async () => (await import('../campaigns/campaigns-page.tsx')).CampaignsPage,
    loadOne: async () => (await import('../campaigns/campaign-page.tsx')).CampaignPage,
  },
  {
    name: 'codes',
    section: 'engage',
    icon: IconTicket,
    right: 'READ',
    load: async () => (await import('../codes/codes-page.tsx')).CodesPage,
    loadOne: async () => (await import('../codes/code-batch-page.tsx')).CodeBatchPage,
  },
  {
    name: 'lotteries',
    section: 'engage',
    icon: IconWand,
    right: 'READ',
    load: async () => (await import('../lotteries/lotteries-page.tsx')).LotteriesPage,
    loadOne: async () => (await import('../lotteries/lottery-page.tsx')).LotteryPage,
  },
  {
    name: 'events',
    section: 'developers',
    icon: IconBroadcast,
    right: 'READ',
    load: async () => (await import('../events/events-page.tsx')).EventsPage,
  },
  {
    name: 'webhooks',
    section: 'developers',
    icon: IconPlugConnected,
    right: 'READ',
    load: async () => (await import('../webhooks/webhooks-page.tsx')).WebhooksPage,
    loadOne: async () => (await import('../webhooks/endpoint-page.tsx')).EndpointPage,
  },
  {
    name: 'keys',
    section: 'developers',
    icon: IconKey,
    right: 'KEYS_READ',
    load: async () => (await import('../keys/keys-page.tsx')).KeysPage,
  },
  {
    name: 'exports',
    section: 'developers',
    icon: IconFileExport,
    right: 'EXPORT',
    load: async () => (await import('../exports/exports-page.tsx')).ExportsPage,
  },
  {
    name: 'arena-games',
    section: 'arena',
    icon: IconTrophy,
    right: 'ARENA_READ',
    load: async () => (await import('../arena-games/arena-games-page.tsx')).ArenaGamesPage,
    loadOne: async () => (await import('../arena-games/arena-game-page.tsx')).ArenaGamePage,
  },
  {
    name: 'sessions',
    section: 'arena',
    icon: IconClock,
    right: 'ARENA_READ',
    load: async () => (await import('../sessions/sessions-page.tsx')).SessionsPage,
  },
  {
    name: 'agents',
    section: 'arena',
    icon: IconRobot,
    right: 'ARENA_READ',
    load: async () => (await import('../agents/agents-page.tsx')).AgentsPage,
    loadOne: async () => (await import('../agents/agent-page.tsx')).AgentPage,
  },
  {
    name: 'matches',
    section: 'arena',
    icon: IconSwords,
    right: 'ARENA_READ',
    load: async () => (await import('../matches/matches-page.tsx')).MatchesPage,
  },
  {
    name: 'earnings',
    section: 'arena',
    icon: IconCoins,
    right: 'ARENA_READ',
    load: async () => (await import('../earnings/earnings-page.tsx')).EarningsPage,
  },
  {
    name: 'team',
    section: 'settings',
    icon: IconUsersGroup,
    right: 'MEMBERS_READ',
    load: async () => (await import('../team/team-page.tsx')).TeamPage,
  },
  {
    name: 'audit-log',
    section: 'settings',
    icon: IconClipboardList,
    right: 'AUDIT_READ',
    load: async () => (await import('../audit-log/audit-log-page.tsx')).AuditLogPage,
  },
  {
    name: 'account',
    section: 'settings',
    icon: IconUser,
    load: async () => (await import('../account/account-page.tsx')).AccountPage,
  },
  {
    name: 'platform',
    section: 'operator',
    icon: IconBuilding,
    right: 'OPERATOR',
    load: async () => (await import('../platform/platform-page.tsx')).PlatformPage,
  },
  {
    name: 'partners',
    section: 'operator',
    icon: IconBuildingStore,
    right: 'OPERATOR',
    load: async () => (await import('../partners/partners-page.tsx')).PartnersPage,
  },
  {
    name: 'review-queue',
    section: 'operator',
    icon: IconChecklist,
    right: 'OPERATOR',
    load: async () => (await import('../review-queue/review-queue-page.tsx')).ReviewQueuePage,
  },
]
