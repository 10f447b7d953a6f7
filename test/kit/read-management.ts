import { findBrands, updateBrand } from '../../src/accounts/brand.ts'
import { findSettingsVersions } from '../../src/accounts/settings-versions/settings-version.ts'
import { findRewardsBy } from '../../src/programme/reward.ts'
import { findFirstFacts } from '../../src/statistics/analytics.ts'
import { findLastBlocks } from '../../src/users/block.ts'
import type { World } from '../world.ts'

type Note = (reader: never, item: unknown) => void

/** A participant of one campaign is blocked for fraud, both users have notes, and the partner has a brand in TEST. Reads it as a member. */
export const readManagement = async (world: World, note: Note) => {
  const { runtime, tenant } = world
  await updateBrand(runtime, { ...tenant, promoter: 'Shop' })
  const bearer = await world.signInAs('OWNER')
  const send = async (document: string) => {
    const { text } = await world.graphql(document, {}, { bearer })
    if (/Error|"errors"/.test(text)) throw new Error(text)
  }
  await send(`mutation {
    addUserNote(input: { user: { externalId: "ann" }, text: "Called" }) { __typename }
    other: addUserNote(input: { user: { externalId: "ben" }, text: "Wrote" }) { __typename }
    blockUser(input: { user: { externalId: "golden-ticket" }, reason: FRAUD }) { __typename } }`)
  await send(`{ users { nodes { block { reason } notes { nodes { text } } } }
    campaigns { nodes { brand { promoter } leaderboard(first: 1) { totalCount { value } } } }
    analytics(metrics: [POINTS_ISSUED, LOTTERY_WINNINGS], from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z",
      interval: MONTH) { countedSince } }`)
  for (const environment of ['TEST', 'LIVE']) {
    note(findBrands as never, { ...tenant, environment })
    // Nothing happened in LIVE, so these answers differ whatever the hour is.
    note(findFirstFacts as never, { ...tenant, environment, metric: 'POINTS_ISSUED' })
  }
  for (const { id } of await runtime.db.endUser.findMany()) note(findLastBlocks as never, id)
  for (const { slug } of await runtime.db.reward.findMany({ where: tenant, take: 3 }))
    note(findRewardsBy as never, { ...tenant, reward: { slug } })
  for (const { objectId, version } of await runtime.db.settingsVersion.findMany({ take: 3 }))
    note(findSettingsVersions as never, { objectId, version })
}
