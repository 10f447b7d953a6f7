/** The documents of streaks, and of the stream by which widgets follow a user. */
import { goalStateFields, offerFields, rewardFields, walletFields } from './documents.ts'

const streakGoalFields = `slug name description window
  streak { freezes { max } milestones { length reward { ${rewardFields} } } }`

const streakFields =
  'length longest state deadline freezes brokenOn history(last: 7) { windowStart status }'

export const streaksQuery = `query WidgetStreaks($externalId: String!) {
  user(by: { externalId: $externalId }) {
    streaks(first: 20) { nodes { goal { ${streakGoalFields} } ${streakFields} } }
  }
}`

export const streakGoalQuery = `query WidgetStreakGoal($slug: String!) {
  goal(by: { slug: $slug }) { ${streakGoalFields} }
}`

const grantStateFields = `nodes { uuid status heldUntil claimExpiresAt issuedAt }
  pageInfo { hasNextPage }`

/** The lists of a user that widgets follow, with the most items of each. */
export const followed = {
  ...{ goals: 50, grants: 100, badges: 100, rewards: 100, streaks: 20, offers: 20 },
} as const

const followedVariables = Object.keys(followed).map(
  (name) => `$${name}: Boolean!, $${name}Count: Int!`,
)
/** The end of a list that is followed. One that is left out counts with its number of items, too. */
const ifFollowed = (name: keyof typeof followed) => `first: $${name}Count) @include(if: $${name})`

/** What changes of a user. Texts and pictures are read once, by the queries. */
export const userSubscription = `subscription WidgetUser($externalId: String!, ${followedVariables.join(', ')}) {
  change: userChanged(by: { externalId: $externalId }) {
    user {
      ${walletFields}
      goals(${ifFollowed('goals')} {
        nodes { goal { slug category status } tasks { rate } ${goalStateFields} }
        pageInfo { hasNextPage }
      }
      grants(filter: { statuses: [READY, HELD] }, ${ifFollowed('grants')} { ${grantStateFields} }
      badges: grants(
        filter: { statuses: [READY, HELD, ISSUED], rewardKinds: [BADGE] }, ${ifFollowed('badges')} { ${grantStateFields} }
      rewards: grants(filter: { rewardKinds: [ITEM, CODE, FREE_PLAYS] }, ${ifFollowed('rewards')} {
        nodes { uuid status freePlaysLeft }
        pageInfo { hasNextPage }
      }
      streaks(${ifFollowed('streaks')} { nodes { goal { slug } ${streakFields} } }
      offers(filter: { statuses: [ACTIVE] }, ${ifFollowed('offers')} { nodes { ${offerFields} } }
    }
  }
}`
