/**
 * A rival: the service as it is usually written, with an interactive transaction for each request.
 * It has the same tables and rows, and does not even check a key.
 */
import { PrismaPg } from '@prisma/adapter-pg'
import Fastify from 'fastify'
import { v7 as uuid } from 'uuid'
import { drawOutcome, drawReward, type WeightedReward } from '../src/games/game.rules.ts'
import { PrismaClient } from '../src/generated/prisma/client.ts'
import type { GameType } from '../src/generated/prisma/enums.ts'
import { cryptoRandom } from '../src/kit/random.ts'

const { DATABASE_URL, PARTNER_ID, PORT } = process.env as Record<string, string>
const db = new PrismaClient({
  adapter: new PrismaPg({ connectionString: DATABASE_URL, max: 10 }),
  transactionOptions: { maxWait: 30_000, timeout: 30_000 },
})
const tenant = { partnerId: PARTNER_ID as string, environment: 'TEST' as const }
const app = Fastify()

app.get('/readyz', () => ({ status: 'ok' }))

type Award = { userId: string; eventType: string; reference: string }

app.post<{ Body: Award }>('/v1/points/award', async ({ body }, reply) => {
  const { userId, eventType, reference } = body
  return db.$transaction(async (tx) => {
    const rule = await tx.rewardRule.findUnique({
      where: { partnerId_environment_eventType: { ...tenant, eventType } },
    })
    if (!rule) return reply.code(404).send({ message: 'Reward rule not found' })
    const { points } = rule
    const now = new Date()
    const user = await tx.endUser.upsert({
      where: { partnerId_environment_externalId: { ...tenant, externalId: userId } },
      create: {
        id: uuid(),
        ...tenant,
        externalId: userId,
        balance: points,
        lifetimePoints: points,
        entries: 1,
        scoreReachedAt: now,
      },
      update: {
        balance: { increment: points },
        lifetimePoints: { increment: points },
        entries: { increment: 1 },
        scoreReachedAt: now,
      },
    })
    const id = uuid()
    const userBalance = Number(user.balance)
    await tx.ledgerEntry.create({
      data: {
        id,
        ...tenant,
        userId: user.id,
        entryNo: user.entries,
        eventType,
        points,
        balanceAfter: user.balance,
        account: 'issuance',
        reference,
        createdAt: now,
      },
    })
    await tx.userActivity.create({
      data: {
        id,
        ...tenant,
        userId: user.id,
        category: 'POINTS',
        eventType,
        sourceId: id,
        points,
        occurredAt: now,
      },
    })
    const data = { ledgerId: id, userId, eventType, pointsAwarded: points, userBalance, reference }
    await tx.event.create({
      data: { id, ...tenant, type: 'points.awarded', data, occurredAt: now },
    })
    return { message: 'Points awarded successfully', data }
  })
})

app.post<{ Body: { userId: string; gameType: GameType } }>('/v1/games/play', async (req, reply) => {
  const { userId: externalId, gameType } = req.body
  return db.$transaction(async (tx) => {
    const mechanic = await tx.gameMechanic.findUnique({
      where: { partnerId_environment_gameType: { ...tenant, gameType }, status: 'ACTIVE' },
    })
    if (!mechanic) return reply.code(404).send({ message: 'Game not found' })
    const reward = drawReward(mechanic.rewards as WeightedReward[], cryptoRandom)
    const outcome = drawOutcome(gameType, mechanic.segments, reward, cryptoRandom)
    const spent = mechanic.pointsToUnlock
    const credited = reward.type === 'points' ? reward.value : 0
    const won = reward.value > 0 ? 1 : 0
    const now = new Date()
    const user = await tx.endUser.update({
      where: {
        partnerId_environment_externalId: { ...tenant, externalId },
        balance: { gte: spent },
      },
      data: {
        balance: { increment: credited - spent },
        lifetimePoints: { increment: credited },
        gamesPlayed: { increment: 1 },
        rewardsWon: { increment: won },
        entries: { increment: credited > 0 ? 2 : 1 },
        scoreReachedAt: now,
      },
    })
    const id = uuid()
    const userBalance = Number(user.balance) - credited
    await tx.play.create({
      data: {
        id,
        ...tenant,
        userId: user.id,
        playNo: user.gamesPlayed,
        gameType,
        pointsSpent: spent,
        outcome,
        rewardTier: reward.tier,
        rewardType: reward.type,
        rewardValue: reward.value,
        rewardLabel: reward.label,
        mechanicVersion: mechanic.version,
        seedNo: user.seedNo,
        playedAt: now,
      },
    })
    const entry = {
      ...tenant,
      userId: user.id,
      account: 'games',
      sourceId: id,
      metadata: { playId: id, gameType },
      createdAt: now,
    }
    await tx.ledgerEntry.create({
      data: {
        ...entry,
        id,
        entryNo: credited > 0 ? user.entries - 1 : user.entries,
        eventType: 'game_play',
        points: -spent,
        balanceAfter: userBalance,
      },
    })
    if (credited > 0)
      await tx.ledgerEntry.create({
        data: {
          ...entry,
          id: uuid(),
          entryNo: user.entries,
          eventType: 'game_reward',
          points: credited,
          balanceAfter: user.balance,
        },
      })
    await tx.userActivity.create({
      data: {
        id,
        ...tenant,
        userId: user.id,
        category: 'GAME_PLAY',
        eventType: 'game_play',
        sourceId: id,
        points: credited - spent,
        metadata: { gameType, reward },
        occurredAt: now,
      },
    })
    const data = {
      playId: id,
      gameType,
      userId: externalId,
      pointsSpent: spent,
      userBalance,
      outcome,
      reward,
      playedAt: now.toISOString(),
    }
    await tx.event.create({ data: { id, ...tenant, type: 'game.played', data, occurredAt: now } })
    return { message: 'Game played successfully', data }
  })
})

await app.listen({ port: Number(PORT), host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
