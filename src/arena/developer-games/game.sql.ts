import { type ArenaGame, Prisma } from '../../generated/prisma/client.ts'
import { lockStatement, returns, returnsNothing, statement } from '../../kit/database/statement.ts'
import { type EventData, emit } from '../../kit/streams/events.ts'
import { gameReviewed } from './review.events.ts'

export const selectGameForUpdate = lockStatement(
  'lock_arena_game',
  returns({ id: 'uuid' }),
  (id: string) => Prisma.sql`SELECT id FROM arena_game WHERE id = ${id}::uuid FOR NO KEY UPDATE`,
)

export const insertReviewEvent = statement(
  'announce_review',
  returnsNothing,
  (
    { partnerId }: Pick<ArenaGame, 'partnerId'>,
    {
      id,
      data,
      occurredAt,
    }: { id: string; data: EventData<typeof gameReviewed>; occurredAt: Date },
  ) =>
    emit(
      gameReviewed,
      Prisma.sql`SELECT ${id}::uuid AS id, ${partnerId}::uuid AS partner_id,
        'LIVE'::"Environment" AS environment, ${JSON.stringify(data)}::json AS data,
        ${occurredAt}::timestamptz AS occurred_at`,
    ),
)
