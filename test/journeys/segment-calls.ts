/** Calls about segments and the users in them. */
import { expect } from 'vitest'
import type { Keys, World } from '../world.ts'

/** @param worldOf the world, which may start after this is called */
export const segmentCalls = (worldOf: () => World) => ({
  identify: (externalId: string, more: object = {}) =>
    worldOf().post('/v1/user-journeys/users', worldOf().keys.public, { externalId, ...more }),

  createSegment: async (input: object, by: Keys = worldOf().keys) =>
    (
      await worldOf().graphql(
        `mutation ($input: CreateSegmentInput!) { createSegment(input: $input) { __typename
          ... on CreateSegmentPayload { segment { id name users { totalCount { value } } } }
          ... on ValidationError { errors { path message } } ... on Error { code } } }`,
        { input },
        by,
      )
    ).body.data.createSegment,

  /** The users who match, by their ids. */
  profiles: async (filter: object, by: Keys = worldOf().keys): Promise<string[]> => {
    const { body } = await worldOf().graphql(
      `query ($filter: UserFilter) { users(filter: $filter, first: 100) {
        totalCount { value } nodes { externalId } } }`,
      { filter },
      by,
    )
    const { totalCount, nodes } = body.data.users
    const ids = nodes.map(({ externalId }: { externalId: string }) => externalId).sort()
    expect(totalCount.value).toBe(ids.length)
    return ids
  },
})
