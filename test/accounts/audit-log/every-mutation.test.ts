/** Every mutation of the schema is tried once, and the audit log is compared with the outcomes. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { schema } from '../../../src/schema.ts'
import { type Call, callsOf } from '../../access/calls.ts'
import { makeThings } from '../../access/things.ts'
import { createWorld, type World } from '../../world.ts'

const fields = Object.values(schema.getMutationType()?.getFields() ?? {})
const isAudited = (name: string) =>
  fields.find((field) => field.name === name)?.extensions.isAudited as boolean

let world: World
let calls: Call[]
let operator: string

beforeAll(async () => {
  world = await createWorld()
  operator = await world.signInAs('OPERATOR')
  const { values, ids } = await makeThings(world, await world.signInAs('OWNER'))
  calls = callsOf(values, ids).filter(({ kind }) => kind === 'mutation')
}, 120_000)
afterAll(() => world.end())

type Tried = { typename: string; entries: { action: string; refusal: string | null }[] }

const attempt = async (call: Call): Promise<Tried> => {
  if (call.face === 'REST') throw new Error('not of GraphQL')
  const requestId = randomUUID()
  const { body, text } = await world.call('POST', '/graphql', {
    headers: {
      authorization: `Bearer ${operator}`,
      'x-environment': 'LIVE',
      'x-request-id': requestId,
    },
    body: { query: call.document, variables: call.variables },
  })
  expect(body.errors, text).toBeUndefined()
  const entries = await world.runtime.db.auditEntry.findMany({ where: { requestId } })
  return { typename: body.data.result.__typename, entries }
}

test('these mutations are not in the audit log: what keys do for users all day', () => {
  expect(
    fields.flatMap(({ name }) => (isAudited(name) ? [] : [name])).sort(),
  ).toMatchInlineSnapshot(`
    [
      "awardPoints",
      "awardPointsBatch",
      "buyReward",
      "claimGrant",
      "claimOffer",
      "createArenaSession",
      "createOffer",
      "createReferralCode",
      "createUserToken",
      "enterLottery",
      "joinArenaSession",
      "joinGoal",
      "leaveArenaSession",
      "playGame",
      "recordCampaignEvent",
      "recordReferral",
      "redeemCode",
      "redeemPublicCode",
      "redeemWinCode",
      "refreshTokens",
      "reportArenaResult",
      "reportArenaServerResult",
      "requestPasswordReset",
      "revealCode",
      "rotatePlaySeed",
      "sendArenaSessionMoves",
      "startArenaSession",
      "supportArenaAgent",
      "trackActivities",
      "trackActivity",
      "trackUser",
    ]
  `)
})

/** Mutations that come last, in this order: they make others fail, or fail before them. */
const enders = [
  'pauseArenaAgent',
  'updateArenaAgent',
  'rotateWebhookSecret',
  'deleteWebhookEndpoint',
  'pauseCampaign',
  'startCampaign',
  'endCampaign',
  'cancelLotteryTicket',
  'executeLotteryDraw',
  'cancelLotteryDraw',
  'pauseLottery',
  'startLottery',
  'endLottery',
  'deleteMember',
  'suspendArenaAgent',
  'reinstateArenaAgent',
  'retireArenaAgent',
  'unfeatureArenaGame',
  'archiveArenaGame',
  'archiveAnyArenaGame',
  'archiveReward',
  'cancelGrant',
  'deleteOfferRule',
  'pauseGoal',
  'endGoal',
  'deleteGoal',
  'deleteSegment',
  'revokeApiKey',
  'signOut',
]
const place = ({ field }: Call) => enders.indexOf(field)

/** Refused because things are not in the required state, or belong to the caller. */
const refused = [
  'acceptInvitation',
  'addRewardCodes',
  'cancelGrant',
  'cancelLotteryDraw',
  'cancelOffer',
  'changePassword',
  'cloneCampaign',
  'closePartner',
  'confirmTotp',
  'deleteCampaign',
  'deleteGoal',
  'deleteLottery',
  'disableTotp',
  'endSignIn',
  'endStreakPause',
  'failGrant',
  'fulfillGrant',
  'resetPassword',
  'restoreStreak',
  'retryGrant',
  'reviewArenaGame',
  'signIn',
  'startGoal',
  'startTotp',
]

test('a mutation writes one entry if it succeeds, and none if it is refused', async () => {
  const list = calls
    .filter(({ face, field }) => face === 'GraphQL' && isAudited(field))
    .sort((a, b) => place(a) - place(b))
  const wrong: unknown[] = []
  const seen = new Set<string>()
  for (const call of list) {
    const { typename, entries } = await attempt(call)
    const isDone = typename.endsWith('Payload')
    if (!isDone) seen.add(call.field)
    const done = entries.filter(({ refusal }) => refusal === null)
    if (done.length !== (isDone ? 1 : 0)) wrong.push([call.field, typename, entries])
    if (isDone && done[0]?.action !== call.field) wrong.push([call.field, entries])
  }
  expect(wrong).toEqual([])
  expect([...seen].sort()).toEqual(refused)
}, 200_000)
