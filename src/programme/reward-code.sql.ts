/** Statements about codes of rewards. */
import { Prisma, type Reward } from '../generated/prisma/client.ts'
import { type ItemsOf, inputRows, returns, statement } from '../kit/database/statement.ts'

/** A code: its keyed hash in hexadecimal, and the sealed code in hexadecimal. */
const codeRows = inputRows({ id: 'uuid', hash: 'text', sealedCode: 'text' })

/** Adds codes to a reward, which is locked, and to its stock. Skips those that it has. Returns those that were added. */
export const insertRewardCodes = statement(
  'insert_reward_codes',
  returns({ id: 'uuid' }),
  (
    { id, partnerId, environment }: Pick<Reward, 'id' | 'partnerId' | 'environment'>,
    codes: ItemsOf<typeof codeRows>,
    now: Date,
  ) => Prisma.sql`
    WITH made AS (
      INSERT INTO reward_code (id, partner_id, environment, reward_id, code_hash, sealed_code, created_at)
      SELECT c.id, ${partnerId}::uuid, ${environment}::"Environment", ${id}::uuid, decode(c.hash, 'hex'),
        decode(c.sealed_code, 'hex'), ${now}::timestamptz
      FROM ${codeRows(codes, 'c')} ORDER BY c.n
      ON CONFLICT (reward_id, code_hash) DO NOTHING RETURNING id
    ), counted AS (
      UPDATE reward SET stock = coalesce(stock, 0) + (SELECT count(*)::int FROM made) WHERE id = ${id}::uuid
    )
    SELECT id FROM made`,
  { isPrepared: false },
)
