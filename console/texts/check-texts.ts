/** Texts of the check before a change that users notice. */
export const checkTexts = {
  effects: 'What happens',
  changes: 'What changes',
  cost: 'What it can cost',
  schedule: 'Schedule',
  page: 'Public page',
  blocked: 'This cannot go live yet',
  warnings: 'Before you go on',
  source: 'Points for',
  before: 'Now',
  after: 'After',
  starts: 'Starts',
  ends: 'Ends',
  rightAway: 'Right away',
  untilEnded: 'When you end it',
  noLimit: 'No limit',
  points: (points: string) => `${points} points`,
} as const

export const offerCheckTexts = {
  enter: (stage: string) => `Each user who enters the stage ${stage} gets this offer from now on.`,
  already: 'Users who are in the stage already do not get it.',
  again: (days: string) => `The same user gets it again after ${days} days at the earliest.`,
  fromNow: 'Later offers follow the changed rule. Offers that were made stay as they are.',
  paused: 'Users who enter the stage do not get this offer until you resume the rule.',
  kept: 'Offers that were made can still be claimed.',
  missed: 'Users who entered the stage during the pause do not get it.',
  entries: (count: string) =>
    `Users entered the stage ${count === '1' ? 'once' : `${count} times`} in the last 30 days.`,
  noEntries: 'Nobody has entered the stage in the last 30 days.',
  each: 'An offer that is claimed',
  most: (count: string) => `At most, for ${count} ${count === '1' ? 'entry' : 'entries'}`,
  mostHint: 'If each of these entries makes an offer, and each offer is claimed.',
  reward: (name: string, left: string) => `It also gives the reward ${name} (${left}).`,
} as const

export const rewardRuleCheckTexts = {
  accepted: (eventType: string) =>
    `Your servers can award points for ${eventType} right away. Without a rule, they are refused.`,
  fromNow: 'Later awards give the new points. Earlier awards keep theirs.',
  noLimit: 'There is no limit: each award gives these points.',
  each: 'An award',
  lastDays: (count: string) =>
    count === '1' ? 'The award of the last 30 days' : `The ${count} awards of the last 30 days`,
  more: (points: string) => `They would have cost ${points} points more.`,
  less: (points: string) => `They would have cost ${points} points less.`,
  noAwards: 'Nothing was awarded for it in the last 30 days.',
} as const

export const campaignCheckTexts = {
  costs: {
    EVENTS: 'Events',
    PRIZES: 'Prizes',
    REFERRALS: 'Referrals',
    CODES: 'Codes',
  },
  each: 'Each, at most',
  perUser: 'One user',
  inAll: 'All users',
  together: 'Together',
  perUserTogether: 'Together: one user',
  inAllTogether: 'Together: all users',
  free: 'This campaign gives no points.',
  noDailyLimit: 'There is no limit per day.',
  rewards: (rewards: string) => `Its prizes also give rewards: ${rewards}.`,
  reward: (name: string, count: string) => `${name} (up to ${count})`,
  everyone: 'Anyone can open the public page.',
  takesPart: 'Users take part as soon as your servers report an event of theirs.',
  referrals: 'Users can refer others, and both get points.',
  codes: (count: string) => `${count} codes can be redeemed.`,
  wallet: 'Points go to the users’ balances and can be spent.',
  noWallet: 'Points count in the campaign only and cannot be spent.',
  resumed: (participants: string) =>
    `${participants} participants keep what they have and can go on.`,
  paused: (participants: string) =>
    `Events and referrals are refused until you resume it. It has ${participants} participants.`,
  pausedCodes: (count: string) => `${count} codes cannot be redeemed until then.`,
  pausedPage: 'The public page stays up and says that the campaign is paused.',
  pausedWins: 'Prizes that were won can still be redeemed.',
  fromNow: 'Later events follow the new rules. What users have won or earned stays.',
  prizePoints: 'Prizes of an event, on average',
  eachOf: (source: string) => `${source}: each, at most`,
  perUserOf: (source: string) => `${source}: one user`,
  inAllOf: (source: string) => `${source}: all users`,
} as const

export const gameCheckTexts = {
  title: (name: string) => `Change ${name}`,
  playable: 'Every user can see and play it right away.',
  hidden: 'No user can see or play it until you activate it again. Wins stay.',
  plays: (count: string) => `It was played ${count} times in the last 24 hours.`,
  noPlays: 'Nobody has played it in the last 24 hours.',
  fromNow: 'Later plays use the new odds. Earlier plays do not change.',
  price: 'A play costs',
  expected: 'A play wins, on average',
  largest: 'Best prize',
  largestOf: (points: string, share: string) => `${points} points, in ${share} of plays`,
  none: 'Worth nothing',
  daily: (plays: string) => `Won a day, at ${plays} plays`,
  dailyPrice: 'Paid for these plays',
} as const

export const lotteryCheckTexts = {
  open: 'Your servers can enter users as soon as a draw is open.',
  paused: 'No entries are accepted until you resume it. Open draws are still drawn.',
  fromNow: 'Draws that open from now on follow the new rules. Open draws keep theirs.',
  nextDraw: 'Next draw',
  byHand: 'When you schedule one',
  pot: 'Pot before the first ticket',
  largest: 'Largest fixed prize of a line',
  onlyShares: 'None: prizes are shares of the pot',
  expected: 'Fixed prizes of 1,000 lines, on average',
  maxPayout: 'The most a draw pays',
} as const

export const goalCheckTexts = {
  optIn: 'Users can join. What they do after joining counts.',
  everybody: 'Every user takes part without joining.',
  segment: (name: string) => `Only users of the segment ${name} can complete it.`,
  hidden: 'It is secret: users see it only once they have completed it.',
  paused: 'Progress still counts, but nobody can complete it until you resume it.',
  kept: 'Users keep what they have earned.',
  would: (users: string, completions: string) =>
    `In the last 30 days, ${users} users would have completed it ${completions} times.`,
  noRewards: 'It gives no rewards.',
  perUser: 'One user',
} as const
