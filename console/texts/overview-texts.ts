import { numberText, wholePercentText } from '../parts/formats.ts'

const things = (count: number, one: string, many: string) =>
  `${numberText(count)} ${count === 1 ? one : many}`

export const overviewTexts = {
  title: 'Overview',
  description: 'How today is going, what is running, and what needs you.',
  nothingYet:
    'Nothing has happened in this environment yet. Four steps lead to a running programme.',
  today: 'Today so far',
  todayHint: (day: string) => `Compared with last ${day}, up to the last full hour.`,
  activeUsers: 'Active users',
  newUsers: 'New users',
  pointsIssued: 'Points issued',
  pointsSpent: 'Points spent',
  plays: 'Plays',
  outstanding: 'Points to be spent',
  change: (change: number, than: string) =>
    `${wholePercentText(Math.abs(change))} ${change < 0 ? 'less' : 'more'} than ${than}`,
  lastDay: (day: string) => `last ${day}`,
  wholeDay: (count: string, day: string) => `${count} on all of last ${day}`,
  monthAgo: '30 days ago',
  running: 'Running now',
  runningHint: 'What ends first is first.',
  nothingRuns: 'Nothing is running.',
  createCampaign: 'Go to campaigns',
  name: 'Name',
  kind: 'Kind',
  result: 'Result',
  ends: 'Ends',
  noEnd: 'No end',
  starts: 'Starts',
  kinds: {
    campaigns: 'Campaign',
    lotteries: 'Lottery draw',
    goals: 'Goal',
    offers: 'Offers',
  },
  allOffers: 'All offers',
  participants: (count: number) => things(count, 'participant', 'participants'),
  tickets: (count: number) => things(count, 'ticket', 'tickets'),
  completions: (count: number) => `${things(count, 'completion', 'completions')} in 7 days`,
  claims: (claimed: number, made: number) =>
    `${numberText(claimed)} claimed of ${numberText(made)} made in 7 days`,
  notStarted: 'Not started yet',
  allCampaigns: (count: string) => `All ${count} running campaigns`,
  waiting: 'Needs you',
  nothingWaits: 'All done. Nothing needs you.',
  toHandOut: (count: string) => `${count} to hand out`,
  fewLeft: (name: string, left: number) =>
    left === 0 ? `${name} is out of stock` : `${name}: only ${numberText(left)} left`,
  failing: (host: string) => `Webhooks to ${host} are failing`,
  disabled: (host: string) => `Webhooks to ${host} are turned off`,
  expires: (key: string) => `The key ${key} expires soon`,
  since: 'since',
  on: 'on',
  trends: 'Trends',
  feed: 'Live events',
  feedHint: 'New events appear here as they happen.',
  allEvents: 'All events',
} as const
