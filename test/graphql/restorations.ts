/** Restorations of versions, for the tests of expected versions. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { World } from '../world.ts'

/** Changes something twice, and returns its global id. Its first version can be restored then. */
const changedTwice = async (
  world: () => World,
  mutation: string,
  field: string,
  ...inputs: [object, object]
) => {
  const Name = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}`
  const query = `mutation ($input: ${Name}Input!) { result: ${mutation}(input: $input) {
    ... on ${Name}Payload { ${field} { id } } } }`
  await world().graphql(query, { input: inputs[0] })
  const { body, text } = await world().graphql(query, { input: inputs[1] })
  expect(body.errors, text).toBeUndefined()
  return body.data.result[field].id as string
}

type Restoration = {
  mutation: string
  field: string
  shows: string
  input(): Promise<object>
}

/** The mutations that restore a version, each with something that has two. */
export const restorationsIn = (world: () => World, rules: object): Restoration[] => [
  {
    mutation: 'restoreRewardRule',
    field: 'rewardRule',
    shows: 'points',
    input: async () => {
      const rule = { eventType: `restored-${randomUUID()}` }
      const both = [1, 2].map((points) => ({ ...rule, points })) as [object, object]
      return {
        rewardRuleId: await changedTwice(world, 'setRewardRule', 'rewardRule', ...both),
        version: 1,
      }
    },
  },
  {
    mutation: 'restoreOfferRule',
    field: 'offerRule',
    shows: 'title',
    input: async () => {
      const rule = { stage: 'POWER_USER', offerType: 'VIP_PLAY' }
      const both = ['a', 'b'].map((title) => ({ ...rule, title })) as [object, object]
      return {
        offerRuleId: await changedTwice(world, 'setOfferRule', 'offerRule', ...both),
        version: 1,
      }
    },
  },
  {
    mutation: 'restoreCampaign',
    field: 'campaign',
    shows: 'name',
    input: async () => {
      const campaign = { slug: `restored-${randomUUID()}` }
      const create = `mutation { createCampaign(input: { slug: "${campaign.slug}", name: "x" }) { __typename } }`
      await world().graphql(create)
      const both = ['a', 'b'].map((name) => ({ campaign, name })) as [object, object]
      await changedTwice(world, 'updateCampaign', 'campaign', ...both)
      return { campaign, version: 2 }
    },
  },
  {
    mutation: 'restoreLottery',
    field: 'lottery',
    shows: 'name',
    input: async () => {
      const slug = `restored-${randomUUID()}`
      const created = { slug, name: 'a', frequency: 'WEEKLY', rules }
      const create = `mutation ($input: CreateLotteryInput!) { createLottery(input: $input) { __typename } }`
      await world().graphql(create, { input: created })
      const lottery = { slug }
      const both = ['b', 'c'].map((name) => ({ lottery, name })) as [object, object]
      await changedTwice(world, 'updateLottery', 'lottery', ...both)
      return { lottery, version: 2 }
    },
  },
  {
    mutation: 'restoreGame',
    field: 'game',
    shows: 'name',
    input: async () => {
      const game = {
        ...{ gameType: 'ENIGMA_BOXES', description: 'Boxes.', price: 1, segments: 3 },
        rewards: [{ tier: 'COMMON', type: 'POINTS', value: 5, label: '5', weight: 1 }],
      }
      const both = ['a', 'b'].map((name) => ({ ...game, name })) as [object, object]
      await changedTwice(world, 'setGame', 'game', ...both)
      return { gameType: 'ENIGMA_BOXES', version: 1 }
    },
  },
]
