/** Rewards and grants, by the API and by the functions it calls. */
import { randomUUID } from 'node:crypto'
import type { GraphQLUnionType } from 'graphql'
import { inTransaction } from '../../src/kit/database/db.ts'
import type { UserId } from '../../src/kit/user-id.ts'
import { giveRewards } from '../../src/programme/gift.ts'
import { makeGrants } from '../../src/programme/grant.ts'
import { schema } from '../../src/schema.ts'
import { lockOrMakeUsers, type UserKey } from '../../src/users/end-user.ts'
import type { Keys, World } from '../world.ts'

const grantFields = `uuid status points needsClaim heldUntil readyAt claimedAt claimExpiresAt issuedAt
  expiredAt revokedAt failure shortfall reference note source
  reward { name grantCount } ledgerEntry { uuid points eventType account sourceId }
  refundEntry { points eventType account sourceId } user { externalId balance lifetimePoints }`

type Input = Record<string, unknown>

/** What errors carry. */
const errorFields: Record<string, string> = {
  NotActiveError: 'status since',
  LimitError: 'limit current',
  DuplicateReferenceError: 'firstEntry { uuid } firstGrant { uuid }',
  ValidationError: 'errors { path message }',
}

/** The fields of the errors that a result can be. */
const errorsOf = (result: string): string => {
  const types = (schema.getType(result) as GraphQLUnionType).getTypes()
  return types
    .flatMap(({ name }) => (errorFields[name] ? `... on ${name} { ${errorFields[name]} }` : []))
    .join(' ')
}

export const programmeOf = (world: World) => {
  const capital = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`

  /** The result of a mutation: the selected entity, or its error. */
  const mutate = async (
    name: string,
    selection: string,
    input: Input,
    by?: Partial<Keys> & { bearer?: string },
  ) => {
    const { body, text } = await world.graphql(
      `mutation ($input: ${capital(name)}Input!) {
        result: ${name}(input: $input) {
          __typename ... on ${capital(name)}Payload { ${selection} }
          ... on Error { code message } ${errorsOf(`${capital(name)}Result`)} } }`,
      { input },
      by,
    )
    if (body.errors) throw new Error(text)
    return body.data.result
  }

  const ofGrant = (name: string) => async (input: Input, by?: Partial<Keys>) => {
    const result = await mutate(name, `grant { ${grantFields} }`, input, by)
    return result.grant ?? result
  }
  const ofReward = (name: string) => async (input: Input, by?: Partial<Keys>) => {
    const fields =
      'uuid slug name description imageUrl kind points stock grantCount archivedAt version createdAt updatedAt'
    const result = await mutate(name, `reward { ${fields} }`, input, by)
    return result.reward ?? result
  }

  const give = ofGrant('giveReward')
  const create = ofReward('createReward')
  return {
    mutate,
    createReward: create,
    updateReward: ofReward('updateReward'),
    archiveReward: ofReward('archiveReward'),
    /** A reward of points with a name of its own. */
    pointsReward: (points: number, more: Input = {}) =>
      create({ name: `bonus ${randomUUID()}`, kind: 'POINTS', points, ...more }),
    badge: (more: Input = {}) => create({ name: `badge ${randomUUID()}`, kind: 'BADGE', ...more }),
    give: (externalId: string, reward: { slug: string }, more: Input = {}, by?: Partial<Keys>) =>
      give({ user: { externalId }, reward: { slug: reward.slug }, ...more }, by),
    claim: ofGrant('claimGrant'),
    revoke: ofGrant('revokeGrant'),
    retry: ofGrant('retryGrant'),
    grant: (id: string) => world.runtime.db.rewardGrant.findUniqueOrThrow({ where: { id } }),
    balance: async (externalId: string) =>
      Number(
        (
          await world.runtime.db.endUser.findFirstOrThrow({
            where: { ...world.tenant, externalId },
          })
        ).balance,
      ),

    /** Makes grants of a goal for users, as the part that decides does, and leaves them to the payer. */
    grantAll: (
      users: UserKey[],
      rewardId: string,
      more: { needsClaim?: boolean; heldUntil?: Date; claimExpiresAt?: Date } = {},
    ) =>
      inTransaction(world.runtime, async (work) => {
        const locked = await lockOrMakeUsers(work, users)
        const { needsClaim = false, ...times } = more
        return makeGrants(
          work,
          locked.map(({ id, partnerId, environment }) => ({
            id: randomUUID(),
            partnerId,
            environment,
            userId: id as UserId,
            rewardId,
            sourceKind: 'GOAL' as const,
            sourceId: randomUUID(),
            rewardNo: 1,
            round: 1,
            needsClaim,
            ...times,
          })),
        )
      }),

    /** Gives a reward without group commit, as another node does. */
    giveAlone: (user: UserKey, slug: string, more: object = {}) =>
      giveRewards(world.runtime, [
        { ...user, reward: { slug }, memberId: null, apiKeyId: randomUUID(), ...more },
      ]),
  }
}

export type Programme = ReturnType<typeof programmeOf>
