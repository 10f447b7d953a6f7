/**
 * The English texts of the widgets. `{name}` stands for a value. A page replaces any of them with `texts`. To add a
 * language, write its texts as in `texts-de.ts`, and name its file in `languages`.
 */
import type { GameTexts } from './game-texts.ts'
import type { ShopTexts } from './shop-texts.ts'
import type { StreakTexts } from './streak-texts.ts'

const english = {
  points_one: '{count} point',
  points_other: '{count} points',
  you: 'You',
  retry: 'Try again',
  loading: 'Loading…',
  noKey: 'This widget needs an api-key.',
  noServer: 'This widget needs a base-url.',
  noUser: 'Sign in to see this.',
  noToken: 'This widget needs a user-token.',
  signInToPlay: 'Sign in to play',
  badKey: 'The key of this widget is not valid.',
  badToken: 'Your sign-in has expired. Reload the page.',
  tokenFailed: 'Your sign-in could not be checked. We try again in a moment.',
  otherToken: 'The user-id and the user-token of this widget are of different users.',
  failed: 'This could not be loaded.',
  offline: 'You are offline. We go on as soon as you are back.',
  unreachable: 'No answer from the server. We try again in a moment.',
  busy: 'Many people are here right now. One moment…',
  late: 'Still waiting for the answer…',
  unknownOutcome: 'We could not learn the outcome. Your balance shows whether it counted.',
  playFailed: 'That did not work. No points were taken.',
  gameMissing: 'This game is not available at the moment.',
  odds: 'Prizes and odds',
  nothing: 'No prize',
  epic: 'Epic',
  rare: 'Rare',
  common: 'Common',
  price: '{points} a go',
  spin: 'Spin',
  spinning: 'Spinning…',
  pull: 'Pull',
  pulling: 'Rolling…',
  open: 'Open a box',
  opening: 'Opening…',
  again: 'Play again',
  playFree: 'Play for free ({count} left)',
  freeThen: 'Then {price}.',
  freeUntil: 'Free until {date}. Then {price}.',
  free: 'Free',
  notEnough: 'You need {price}',
  notEnoughLong: 'You need {price}, and have {balance}.',
  won: 'You won {label}!',
  lost: '{label}',
  wonLong: 'You won {label}. Your balance is {balance}.',
  lostLong: '{label}. Your balance is {balance}.',
  wheelStops: 'The wheel stops at {segment}.',
  reelsShow: 'The reels show {symbols}.',
  boxOpens: 'Box {box} opens.',
  yourBalance: 'Your balance',
  leaderboard: 'Leaderboard',
  player: 'Player',
  score: 'Score',
  rank: 'Rank',
  noLeaders: 'Nobody is here yet. Be the first!',
  history: 'Your last plays',
  noHistory: 'You have not played yet.',
  older: 'Show older',
  offers: 'Offers for you',
  noOffers: 'No offers at the moment. Come back soon.',
  claim: 'Claim',
  claiming: 'Claiming…',
  claimed: 'Claimed',
  offerClaimed: '{title} claimed.',
  claimFailed: 'This offer cannot be claimed any more.',
  until: 'until {date}',
  goals: 'Missions',
  noGoals: 'No missions at the moment. Come back soon.',
  signInToJoin: 'Sign in to take part',
  signInToClaim: 'Sign in to claim',
  goalLocked: 'Locked',
  goalAvailable: 'Ready to begin',
  goalInProgress: 'In progress',
  goalCompleted: 'Completed',
  goalMissed: 'Missed',
  goalPaused: 'Paused',
  goalDone: '{name} completed!',
  timesDone_one: 'Completed once',
  timesDone_other: 'Completed {count} times',
  goalCounting: 'Your progress is being counted…',
  firstComplete: 'First complete: {goals}',
  notOpen: 'This mission is not open to you yet.',
  progress: '{value} of {target}',
  ownProgress: 'Progress',
  endsIn: 'Ends {when}',
  endsOn: 'Last day: {date}',
  endedOn: 'It ended on {date}',
  startsIn: 'Starts {when}',
  startsOn: 'Starts {date}',
  againIn: 'Again {when}',
  againOn: 'Again {date}',
  claimIn: 'Reward expires {when}',
  claimOn: 'Last day to claim: {date}',
  heldIn: 'Your reward is on the way: it arrives {when}',
  heldOn: 'Your reward is on the way: it arrives on {date}',
  onWayIn: 'On the way: it arrives {when}',
  onWayOn: 'On the way: it arrives on {date}',
  reward: 'Reward',
  gifts: 'For you',
  join: 'Join',
  joining: 'Joining…',
  joined: 'You have joined {name}.',
  joinFailed: 'You cannot join this now.',
  rewardClaimed: '{reward} claimed.',
  rewardHad: 'You already have this reward.',
  rewardGone: 'This reward cannot be claimed any more.',
  badges: 'Badges',
  noBadges: 'No badges yet. Come back soon.',
  badgesEarned: '{count} of {all} earned',
  badgeEarned: 'Earned {date}',
  badgeNew: 'You earned the badge {name}!',
  badgeMissing: 'Not earned yet',
  campaignMissing: 'This campaign is not available.',
  campaignEnded: 'This campaign has ended.',
  campaignPaused: 'This campaign is paused.',
  campaignSoon: 'Starts {date}',
  participants_one: '{count} takes part',
  participants_other: '{count} take part',
  prizes: 'Prizes',
  prizeLeft: '{left} of {all} left',
  waysToEarn: 'Ways to earn',
  refer: 'Refer a friend',
  topTen: 'Top ten',
  code: 'Code',
  redeem: 'Redeem',
  redeeming: 'Redeeming…',
  redeemed: '{points} earned!',
  wrongCode: 'We do not know this code. Check each letter.',
  usedCode: 'This code has been redeemed already.',
  oldCode: 'This code is no longer valid.',
  tooManyCodes: 'Too many wrong codes. Wait a few minutes.',
  lotteryMissing: 'This lottery is not available.',
  jackpot: 'In the pot',
  topPrize: 'Jackpot',
  closesIn: 'Closes in',
  closed: 'Closed',
  days: 'days',
  hours: 'hours',
  minutes: 'minutes',
  seconds: 'seconds',
  tickets_one: '{count} ticket',
  tickets_other: '{count} tickets',
  lastDraw: 'Drawn {date}',
  bonus: 'bonus',
  verify: 'Check this draw',
  prizeFor: '{main} right',
  prizeForBonus: '{main} right + bonus',
  shareOfPot: '{share} of the pot',
  matchMissing: 'This match is not public.',
  noMatch: 'No match is being played right now.',
  live: 'Live',
  finished: 'Finished',
  scheduled: 'Starts soon',
  cancelled: 'Cancelled',
  bestOf: 'Best of {count}',
  round: 'Game {number}',
  watching_one: '{count} watching',
  watching_other: '{count} watching',
  matchWon: '{name} wins.',
  matchDrawn: 'A draw.',
  moveBy: '{name} to move',
  terms: 'Terms and conditions',
  promoter: 'By {promoter}',
}

export type Texts = typeof english & GameTexts & ShopTexts & StreakTexts
const known: Record<string, string> = english

/** Adds the texts of widgets that are loaded later. */
export const addTexts = (texts: Partial<Texts>): void => {
  Object.assign(known, texts)
}

/** The languages besides English, by the first part of their BCP 47 tags. Their texts are loaded when a page needs them. */
const languages: Record<string, () => Promise<Texts>> = {
  de: async () => (await import('./texts-de.ts')).german,
}
const translations = new Map<string, Texts>()
const languageOf = (locale: string | undefined) => locale?.split('-')[0]?.toLowerCase() ?? ''

/** Whether the texts of a language still have to be loaded. */
export const lacksTexts = (locale: string | undefined): boolean =>
  languageOf(locale) in languages && !translations.has(languageOf(locale))

/** Loads the texts of a language. Without them, the widgets speak English. */
export const loadTexts = async (locale: string | undefined): Promise<void> => {
  const texts = await languages[languageOf(locale)]?.().catch(() => undefined)
  if (texts) translations.set(languageOf(locale), texts)
}

export type TextKey = keyof Texts
/** A text that depends on a number, as `name_one` and `name_other`. */
type CountedText = {
  [K in TextKey]: K extends `${infer Name}_other` ? Name : never
}[TextKey]

/** `daily_login` → `Daily login`. Names with spaces stay as they are. */
export const words = (name: string): string => {
  const text = name.includes(' ') ? name : name.replaceAll(/[_-]/g, ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const minuteMs = 60_000
const spans: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 24 * 60 * minuteMs],
  ['hour', 60 * minuteMs],
  ['minute', minuteMs],
]

export type Say = ReturnType<typeof createSay>

/** The texts of a page, with its numbers and dates. */
export const createSay = (locale: string | undefined, own: Partial<Texts> = {}) => {
  const rules = new Intl.PluralRules(locale)
  const number = new Intl.NumberFormat(locale)
  const translated: Partial<Texts> = translations.get(languageOf(locale)) ?? {}
  const text = (key: TextKey, values: Record<string, string | number> = {}): string =>
    (own[key] ?? translated[key] ?? known[key] ?? '').replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? ''
      return typeof value === 'number' ? number.format(value) : value
    })
  const counted = (name: CountedText, count: number): string => {
    const key = `${name}_${rules.select(count)}` as TextKey
    return text(key in own || key in known ? key : `${name}_other`, { count })
  }
  return {
    locale,
    text,
    counted,
    points: (count: number): string => counted('points', count),
    number: (value: number): string => number.format(value),
    percent: (share: number): string =>
      share > 0 && share < 0.0001
        ? `< ${new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(0.0001)}`
        : new Intl.NumberFormat(locale, {
            style: 'percent',
            maximumFractionDigits: share < 0.01 ? 2 : 1,
          }).format(share),
    money: (cents: number, currency: string): string =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
        maximumFractionDigits: 2,
      }).format(cents / 100),
    /** How long it is until a time, such as `in 3 days`: at least one minute, rounded down from two of a unit on. */
    until: (at: string): string => {
      const leftMs = Math.max(minuteMs, Date.parse(at) - Date.now())
      const [unit, unitMs] = spans.find(([, ms]) => leftMs >= 2 * ms) ?? ['minute', minuteMs]
      return new Intl.RelativeTimeFormat(locale).format(Math.floor(leftMs / unitMs), unit)
    },
    /** How long a time is away, such as `3 hours`: at least one minute. */
    left: (at: string): string => {
      const minutes = Math.max(1, Math.floor((Date.parse(at) - Date.now()) / minuteMs))
      const [unit, value] =
        minutes < 120
          ? (['minute', minutes] as const)
          : (['hour', Math.floor(minutes / 60)] as const)
      const style = { style: 'unit', unit, unitDisplay: 'long' } as const
      return new Intl.NumberFormat(locale, style).format(value)
    },
    date: (
      at: string | number,
      style: Intl.DateTimeFormatOptions = { dateStyle: 'medium' },
    ): string => new Intl.DateTimeFormat(locale, style).format(new Date(at)),
  }
}
