/** One of everything that a partner can own, and values of arguments that name it. */
import { v7 as uuid } from 'uuid'
import { createApiKey } from '../../src/accounts/api-key.ts'
import { digestOfToken } from '../../src/accounts/mail-queue.ts'
import { createApplication } from '../../src/accounts/partner.ts'
import { seedArena } from '../../src/demo/arena.ts'
import { seedCampaigns, seedJourneys } from '../../src/demo/demo.ts'
import { seedLotteries } from '../../src/demo/lotteries.ts'
import { startExport } from '../../src/exports/export.ts'
import { randomSecret } from '../../src/kit/random.ts'
import type { Tenant } from '../../src/kit/tenant.ts'
import { runDraw } from '../../src/lotteries/run-draw.ts'
import { setRewardRule } from '../../src/points/reward-rule.ts'
import { decideGoals } from '../../src/programme/decider.ts'
import { makeAgent, makeMatch } from '../arena/matches/arena.ts'
import { findOrMakeRow, nodeTypes } from '../graphql/derived-rows.ts'
import { smallRules } from '../lotteries/lottery.ts'
import { countAll } from '../programme/goals.ts'
import type { World } from '../world.ts'

const userId = 'demo-user'
const spareUser = 'spare-user'
const blockedUser = 'blocked-user'
const campaign = 'summer-sale'
const lottery = 'weekly-draw'
const onlyRule = 'only-ours'
const badge = 'welcome-badge'
const goal = 'first-award'
const optIn = 'weekend-challenge'
const streak = 'a-day-each-day'
const today = new Date().toISOString().slice(0, 10)
const streakUrl = 'POST /v1/users/{userId}/streaks/{slug}'
const pageView = { eventType: 'page_view', category: 'PAGE_VIEW' }
const campaignUrl = `/v1/campaigns/${campaign}`

/** A referral in the campaign that is shown to have none. */
const referSpareUser = async ({ runtime: { db } }: World, tenant: Tenant) => {
  const where = (externalId: string) => ({ where: { ...tenant, externalId } })
  const { id: referrerId } = await db.endUser.findFirstOrThrow(where(userId))
  const { id: refereeId } = await db.endUser.findFirstOrThrow(where(spareUser))
  const { id: campaignId } = await db.campaign.findFirstOrThrow({
    where: { ...tenant, slug: 'golden-ticket' },
  })
  const rewards = { referrerReward: 0, refereeReward: 0, createdAt: new Date() }
  await db.referral.create({
    data: { ...tenant, id: uuid(), campaignId, referrerId, refereeId, ...rewards },
  })
}

/** Terms that a partner has accepted for its players, and points that it has earned as a developer. */
const plantTermsAndEarning = async (
  { runtime: { db } }: World,
  { tenant, gameId, sourceId }: { tenant: Tenant; gameId: string; sourceId: string },
) => {
  const now = new Date()
  const terms = { entryFee: 1, developerRevenueShare: 1, resultPolicy: 'SERVER' } as const
  const caps = { maxPointsInPerDay: 1, maxPointsOutPerDay: 1, acceptedAt: now }
  await db.arenaAcceptance.create({ data: { ...tenant, id: uuid(), gameId, ...terms, ...caps } })
  const holder = `developer:${tenant.partnerId}`
  await db.pointAccount.create({ data: { ...tenant, name: holder, entries: 1, balance: 1 } })
  const entry = { entryNo: 1, eventType: 'developer_share', points: 1, balanceAfter: 1 }
  const source = { account: `session:${sourceId}`, sourceId, createdAt: now }
  await db.accountEntry.create({ data: { ...tenant, id: uuid(), holder, ...entry, ...source } })
}

/** Runs the open draw of a lottery. */
const drawNow = async (runtime: World['runtime'], slug: string): Promise<string> => {
  const where = { lottery: { slug }, status: 'OPEN' as const }
  const { id } = await runtime.db.lotteryDraw.findFirstOrThrow({ where })
  await runDraw(runtime, id, { early: true })
  return id
}

/** Activity of a partner's backend and members, so that reads have something to return. */
const fill = async (world: World, partnerId: string, developer: string) => {
  const { runtime, partner } = world
  const tenant: Tenant = { partnerId, environment: 'LIVE' }
  const { secret, public: key } = partner.live
  const send = async (path: string, by: string, body: object) => {
    const headers = { 'x-environment': 'LIVE' }
    const answer = await world.call('POST', path, { key: by, headers, body })
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
    return answer.body.data
  }
  for (let i = 0; i < 10; i++)
    await send('/v1/points/award', secret, { userId, eventType: 'referral' })
  for (const item of [spareUser, blockedUser])
    await send('/v1/points/award', secret, { userId: item, eventType: 'signup' })
  await seedCampaigns(runtime, tenant)
  await seedLotteries(runtime, tenant)
  const drawnId = await drawNow(runtime, 'daily-pick')
  await seedJourneys(runtime, world.userKey(userId, tenant))
  const invitationToken = randomSecret()
  const invited = { email: `${uuid()}@example.com`, role: 'EDITOR' } as const
  await runtime.db.invitation.create({
    data: {
      id: uuid(),
      partnerId,
      ...invited,
      tokenDigest: digestOfToken('invitation', invitationToken),
      expiresAt: new Date(Date.now() + 3600_000),
    },
  })
  const { id: reviewerId } = await runtime.db.member.findFirstOrThrow({
    where: { isOperator: true },
  })
  await seedArena(runtime, { partnerId, reviewerId })
  const agents = [
    await makeAgent(runtime, partnerId, 'random'),
    await makeAgent(runtime, partnerId, 'minimax'),
  ] as const
  await makeMatch(runtime, agents, { matchType: 'FRIENDLY' })
  await send('/v1/games/play', key, { userId, gameType: 'NEON_WHEEL' })
  await send(`${campaignUrl}/events`, secret, { userId, eventType: 'purchase' })
  await send('/v1/campaigns/golden-ticket/events', secret, { userId, eventType: 'purchase' })
  await referSpareUser(world, tenant)
  await send('/v1/lotteries/entries', secret, {
    email: 'demo@example.com',
    lotterySlug: lottery,
    userId,
  })
  await send('/v1/user-journeys/events', key, { ...pageView, externalId: userId })
  await setRewardRule(runtime, { ...tenant, eventType: onlyRule, points: 1 })
  const requested = { kind: 'USERS', format: 'CSV', memberId: null, apiKeyId: uuid() } as const
  await startExport(runtime, { ...tenant, ...requested })
  const endpoint = { url: 'https://8.8.8.8/hook', events: ['*'] }
  const { id: endpointId } = await send('/v1/webhooks', secret, endpoint)
  await send(`/v1/webhooks/${endpointId}/test`, secret, {})
  const batch = { slug: campaign, batchSize: 2, pointsValue: 5 }
  const { codes } = await send('/v1/campaigns/codes/generate', secret, batch)
  const { id: gameId } = await runtime.db.arenaGame.findFirstOrThrow({
    where: { partnerId, status: 'APPROVED', entryFee: 0 },
  })
  await send(`/v1/arena/games/${gameId}/sessions`, secret, { userId })
  const shared = await runtime.db.arenaGame.findFirstOrThrow({
    where: { partnerId, status: 'APPROVED', entryFee: { gt: 0 } },
  })
  await runtime.db.arenaGame.update({ where: { id: shared.id }, data: { resultPolicy: 'SERVER' } })
  const { id: sharedSession } = await send(`/v1/arena/games/${shared.id}/sessions`, secret, {
    userId,
  })
  await plantTermsAndEarning(world, { tenant, gameId, sourceId: sharedSession })
  const spare = { email: `${uuid()}@example.com`, password: 'a password of a spare member' }
  const { id } = await send('/dashboard/members', developer, spare)
  await runtime.db.member.update({ where: { id }, data: { role: 'EDITOR' } })
  const more = `mutation {
    createSegment(input: { name: "new", stage: NEW }) { __typename }
    setOfferRule(input: { stage: NEW, offerType: WELCOME_BONUS }) { __typename }
    createOffersForUsers(input: { filter: { segment: { name: "new" } }, offerType: VIP_PLAY }) { __typename }
    createReward(input: { name: "${badge}", kind: BADGE, price: 1 }) { __typename }
    createGoal(input: { slug: "${goal}", name: "Goal", window: EVER, repeat: ONCE, countFrom: EVER,
      tasks: [{ target: 1, measure: { facts: [POINTS_AWARDED] } }] }) { __typename }
    startGoal(input: { goal: { slug: "${goal}" } }) { __typename }
    createOptIn: createGoal(input: { slug: "${optIn}", name: "Goal", joinMode: OPT_IN, repeat: UNLIMITED,
      tasks: [{ target: 1, measure: { facts: [ACTIVITY], eventTypes: ["never"] } }] }) { __typename }
    startOptIn: startGoal(input: { goal: { slug: "${optIn}" } }) { __typename }
    createStreak: createGoal(input: { slug: "${streak}", name: "Streak", window: DAY, repeat: EACH_WINDOW,
      tasks: [{ target: 1, measure: { facts: [POINTS_AWARDED] } }], streak: { freezes: { initial: 1 } } }) { __typename }
    startStreak: startGoal(input: { goal: { slug: "${streak}" } }) { __typename }
    restoreStreaks(input: { goal: { slug: "${streak}" }, brokenOn: "${today}" }) { __typename }
    giveReward(input: { user: { externalId: "${userId}" }, reward: { slug: "${badge}" }, needsClaim: true }) { __typename }
  }`
  const answer = await world.graphql(more, {}, partner.live)
  if (answer.text.includes('Error')) throw new Error(answer.text)
  await countAll(runtime)
  await decideGoals(runtime)
  const code = codes[0] as string
  return { code, agents, gameId, endpointId, shared, sharedSession, drawnId, invitationToken }
}

/**
 * Fills the LIVE environment of the world's partner.
 * @param developer access token of one of its members
 */
export const makeThings = async (world: World, developer: string) => {
  const { runtime, partner } = world
  const { partnerId, applicationId } = partner
  const filled = await fill(world, partnerId, developer)
  const { code, agents, gameId, endpointId, shared, sharedSession, drawnId } = filled
  const { db } = runtime
  const tenant = { partnerId, environment: 'LIVE' } as const
  const { apiKey } = await createApiKey(runtime, { ...tenant, applicationId, kind: 'SECRET' })
  const spareApplication = await createApplication(runtime, { partnerId, name: 'spare' })
  const of = (more: object) => ({ where: { ...tenant, ...more } })
  /** Rows that are not the oldest of their type. */
  const named: Record<string, string> = {
    ApiKey: apiKey.id,
    Application: applicationId,
    ArenaAgent: agents[0].id,
    ArenaGame: gameId,
    UserBatch: (await db.userBatch.findFirstOrThrow({ where: { partnerId } })).id,
    ArenaMatch: (await db.arenaMatch.findFirstOrThrow({ where: { partnerId } })).id,
    ArenaSession: (await db.arenaSession.findFirstOrThrow({ where: { gameId } })).id,
    Campaign: (await db.campaign.findFirstOrThrow(of({ slug: campaign }))).id,
    Event: (await db.event.findFirstOrThrow(of({ type: 'test' }))).id,
    Lottery: (await db.lottery.findFirstOrThrow(of({ slug: lottery }))).id,
    Partner: partnerId,
    SignIn: JSON.parse(Buffer.from(developer.split('.')[1] ?? '', 'base64url').toString()).sub,
    WebhookDelivery: (await db.webhookDelivery.findFirstOrThrow(of({ eventType: 'test' }))).id,
    WebhookEndpoint: endpointId as string,
  }
  const draw = { lotteryId: named.Lottery, status: 'OPEN' as const }
  named.LotteryDraw = (await db.lotteryDraw.findFirstOrThrow({ where: draw })).id
  const { id: memberId } = await db.member.findFirstOrThrow({
    where: { partnerId },
    orderBy: { id: 'desc' },
  })
  named.Member = memberId
  const { id: ownerId } = await db.endUser.findFirstOrThrow(of({ externalId: userId }))
  const note = { userId: ownerId, text: 'a note', createdAt: new Date() }
  await db.userNote.create({ data: { ...tenant, id: uuid(), ...note } })
  const ids: Record<string, string> = {}
  for (const type of nodeTypes) {
    const found = named[type] ?? (await findOrMakeRow(world, type, tenant))
    if (found) ids[type] = found
  }
  const { id: deliveryId } = await db.webhookDelivery.findFirstOrThrow({ where: { endpointId } })
  const { slug: partnerSlug } = await db.partner.findUniqueOrThrow({ where: { id: partnerId } })
  const { slug: gameSlug } = await db.arenaGame.findUniqueOrThrow({ where: { id: gameId } })
  const { ticketRef } = await db.lotteryTicket.findUniqueOrThrow({
    where: { id: ids.LotteryTicket as string },
  })
  const values: Record<string, unknown> = {
    ...Object.fromEntries(
      Object.entries(ids).map(([type, id]) => [`${type[0]?.toLowerCase()}${type.slice(1)}Id`, id]),
    ),
    'acceptArenaGame.arenaGame': { id: shared.id },
    agent1Id: agents[0].id,
    agent2Id: agents[1].id,
    agentId: agents[0].id,
    arenaAgentId: agents[0].id,
    amount: 1,
    'arena.slug': gameSlug,
    'arenaAgent.id': agents[0].id,
    'arenaGame.by': { id: gameId },
    'agent.id': agents[0].id,
    'game.by': { id: gameId },
    'userBatch.id': ids.UserBatch,
    'match.id': ids.ArenaMatch,
    'matchSnapshot.id': ids.ArenaMatch,
    'session.id': sharedSession,
    'awardPoints.user': { externalId: 'another-user' },
    'awardPoints.userId': 'another-user',
    'POST /v1/points/award/batch.awards': () => [
      { userId: 'another-user', eventType: 'purchase', reference: uuid() },
    ],
    'awardPointsBatch.awards': () => [
      { user: { externalId: 'another-user' }, eventType: 'purchase', reference: uuid() },
    ],
    user: { externalId: userId },
    by: { externalId: userId },
    batchId: ids.CodeBatch,
    ...Object.fromEntries(
      ['blockUser.user', 'unblockUser.user'].map((name) => [name, { externalId: blockedUser }]),
    ),
    'blockUser.reason': 'OTHER',
    'POST /v1/users/{userId}/block.userId': blockedUser,
    'POST /v1/users/{userId}/unblock.userId': blockedUser,
    noteId: ids.UserNote,
    campaign: { slug: campaign },
    'claimGrant.user': { externalId: userId },
    'revealCode.user': { externalId: userId },
    'campaign.by': { slug: campaign },
    buildUrl: 'https://example.com/game/',
    code,
    'createArenaAgent.modelId': 'random',
    'createArenaAgent.name': () => `agent-${uuid()}`,
    'createCampaign.slug': () => `campaign-${uuid()}`,
    'createMember.role': 'EDITOR',
    // Nobody's sign-in: callers who end their own could make no more calls.
    'endSignIn.signInId': uuid(),
    'inviteMember.role': 'EDITOR',
    'createLottery.rules': smallRules,
    'createLottery.slug': () => `lottery-${uuid()}`,
    'createOffer.user': { externalId: 'another-user' },
    'createOffersForUsers.filter': { search: 'nobody' },
    'createOffersForUsers.offerType': 'VIP_PLAY',
    'adjustPointsOfUsers.filter': { search: 'nobody' },
    'createOffer.externalId': 'another-user',
    'createOffer.offerType': 'VIP_PLAY',
    'cloneGoal.slug': () => `goal-${uuid()}`,
    'createGoal.repeat': 'ONCE',
    'createGoal.slug': () => `goal-${uuid()}`,
    'createGoal.tasks': [{ target: 1, measure: { facts: ['ACTIVITY'], eventTypes: ['never'] } }],
    'createGoal.window': 'EVER',
    'createReward.kind': 'BADGE',
    'createReward.name': () => `reward ${uuid()}`,
    'createPartner.slug': () => `partner-${uuid()}`,
    'createSegment.name': () => `segment ${uuid()}`,
    'createSegment.stage': 'NEW',
    deliveryId,
    'deleteRewardRule.eventType': onlyRule,
    drawId: ids.LotteryDraw,
    email: () => `${uuid()}@example.com`,
    endpointId,
    events: ['*'],
    eventNames: ['*'],
    'eraseUser.user': { externalId: spareUser },
    eventType: 'purchase',
    externalId: userId,
    goal: { slug: goal },
    'goal.by': { slug: goal },
    'previewGoal.by': { slug: goal },
    'previewGame.game': {
      ...{ gameType: 'NEON_WHEEL', name: 'Wheel', description: 'Turn it.', price: 5, segments: 8 },
      rewards: [{ tier: 'COMMON', type: 'POINTS', value: 5, label: '5 points', weight: 1 }],
    },
    'previewRewardRule.rule': { eventType: 'purchase', points: 5 },
    'previewOfferRule.rule': { stage: 'NEW', offerType: 'WELCOME_BONUS' },
    'joinGoal.goal': { slug: optIn },
    'POST /v1/users/{userId}/goals/{slug}/join.slug': optIn,
    ...Object.fromEntries(
      ['giveStreakFreezes', 'pauseStreak', 'endStreakPause', 'restoreStreak', 'restoreStreaks'].map(
        (name) => [`${name}.goal`, { slug: streak }],
      ),
    ),
    ...Object.fromEntries(
      ['freezes', 'pause', 'restore'].map((name) => [`${streakUrl}/${name}.slug`, streak]),
    ),
    'restoreStreaks.brokenOn': today,
    'giveStreakFreezes.count': 1,
    arenaGame: { id: gameId },
    gameId,
    player: { user: { externalId: userId } },
    'joinArenaSession.userId': userId,
    'leaveArenaSession.userId': userId,
    'lottery.by': { slug: lottery },
    'publicLottery.by': { slug: lottery },
    'lottery.slug': lottery,
    'executeLotteryDraw.slug': lottery,
    lottery: { slug: lottery },
    lotterySlug: lottery,
    matchId: ids.ArenaMatch,
    newPassword: 'a long new password',
    partner: { id: partnerId },
    partnerSlug,
    password: 'a long password',
    'redeemPublicCode.externalId': userId,
    'partner.by': { slug: partnerSlug },
    'activateApplication.applicationId': spareApplication.id,
    'deactivateApplication.applicationId': spareApplication.id,
    'deactivateGame.gameType': 'ENIGMA_BOXES',
    'activateGame.gameType': 'ENIGMA_BOXES',
    'play.id': ids.Play,
    'ledgerEntry.id': ids.LedgerEntry,
    'offer.id': ids.Offer,
    'export.id': ids.Export,
    'codeBatch.id': ids.CodeBatch,
    'revokeCode.campaignCode': { code },
    'lotteryTicket.id': ids.LotteryTicket,
    'event.id': ids.Event,
    'apiKey.id': ids.ApiKey,
    'member.id': ids.Member,
    'play.playId': ids.Play,
    referee: { externalId: 'somebody-else' },
    referrer: { externalId: userId },
    refereeId: 'somebody-else',
    referrerId: userId,
    'publicLotteryDraw.id': drawnId,
    'publicInvitation.token': filled.invitationToken,
    ticketRef,
    reward: { slug: badge },
    'reward.by': { slug: badge },
    'GET /v1/rewards/{slug}.slug': badge,
    'POST /v1/users/{userId}/rewards/{slug}/buy.slug': badge,
    'POST /v1/users/{userId}/grants.reward': badge,
    'reportArenaServerResult.sessionId': sharedSession,
    'reportArenaServerResult.arenaSessionId': sharedSession,
    'reportArenaServerResult.winnerId': partnerId,
    'segment.by': { name: 'new' },
    'segmentChanges.by': { name: 'new' },
    segment: { name: 'new' },
    sessionId: ids.ArenaSession,
    'setGame.segments': 8,
    slug: campaign,
    ticketId: ids.LotteryTicket,
    'startExport.kind': 'USERS',
    'trackActivity.user': { externalId: 'another-user' },
    'trackActivity.externalId': 'another-user',
    'trackActivities.activities': [{ ...pageView, user: { externalId: 'another-user' } }],
    'trackActivities.events': [{ ...pageView, externalId: 'another-user' }],
    'trackUser.user': { externalId: 'another-user' },
    'trackUser.externalId': 'another-user',
    url: 'https://8.8.8.8/hook',
    userId,
    webhookDeliveryId: deliveryId,
    'webhookDelivery.id': deliveryId,
    'webhookEndpoint.id': endpointId,
    winnerId: userId,
    'withdrawArenaAcceptance.arenaGame': { id: shared.id },
  }
  return {
    /** An id of each type that has global ones. */
    ids,
    /** Values by the name of an argument, or by field or route and name. */
    values,
    /** Texts that appear in data of this partner, and of nobody else. */
    marks: [partnerId, partnerSlug, memberId, deliveryId, code, ...Object.values(ids)],
  }
}
