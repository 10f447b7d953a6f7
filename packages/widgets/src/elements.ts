/** Types of the elements and their events, for TypeScript and frameworks. */
import type { BadgesElement } from './badges.ts'
import type { BalanceElement } from './balance.ts'
import type { BoxesElement } from './boxes.ts'
import type { CampaignElement } from './campaign.ts'
import type { ConfigElement } from './config-element.ts'
import type { Grant } from './goal-data.ts'
import type { GoalsElement } from './goals.ts'
import type { HistoryElement } from './history.ts'
import type { LeaderboardElement } from './leaderboard.ts'
import type { LotteryElement } from './lottery.ts'
import type { MatchElement } from './match.ts'
import type { Offer, OffersElement } from './offers.ts'
import type { GameType, Play } from './plays.ts'
import type { SoldReward } from './reward-data.ts'
import type { RewardsElement } from './rewards.ts'
import type { ShopElement } from './shop.ts'
import type { SlotsElement } from './slots.ts'
import type { StreakElement } from './streak.ts'
import type { WheelElement } from './wheel.ts'

export type WidgetElements = {
  'tessera-config': ConfigElement
  'tessera-wheel': WheelElement
  'tessera-slots': SlotsElement
  'tessera-boxes': BoxesElement
  'tessera-balance': BalanceElement
  'tessera-leaderboard': LeaderboardElement
  'tessera-history': HistoryElement
  'tessera-offers': OffersElement
  'tessera-goals': GoalsElement
  'tessera-badges': BadgesElement
  'tessera-streak': StreakElement
  'tessera-shop': ShopElement
  'tessera-rewards': RewardsElement
  'tessera-campaign': CampaignElement
  'tessera-lottery': LotteryElement
  'tessera-match': MatchElement
}

/** The `detail` of each event. */
export type WidgetEvents = {
  'tessera-ready': object
  'tessera-play-start': { gameType: GameType }
  'tessera-play': { play: Play; balance: number }
  'tessera-claim': { offer: Offer; balance: number }
  'tessera-goal-join': { slug: string; name: string }
  'tessera-goal-complete': { slug: string; name: string; completionCount: number }
  'tessera-grant-claim': { grant: Grant; balance: number }
  'tessera-buy': { reward: SoldReward; grantId: string; balance: number }
  'tessera-streak-grow': { slug: string; name: string; length: number; milestone: number | null }
  'tessera-redeem': { slug: string; points: number; prizeTier: string | null }
  'tessera-match-end': { matchId: string; winnerSlot: 'AGENT1' | 'AGENT2' | null }
  'tessera-error': { code: string; message: string; status: number }
}

declare global {
  interface HTMLElementTagNameMap extends WidgetElements {}
  interface GlobalEventHandlersEventMap extends WidgetEventMap {}
}

type WidgetEventMap = { [K in keyof WidgetEvents]: CustomEvent<WidgetEvents[K]> }
