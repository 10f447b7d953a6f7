import { z } from 'zod'
import { type ErrorCode, errorTable } from '../../kit/errors.ts'
import { answer, type Each, fragment, route } from '../route.ts'

const award = fragment(
  'PointsAward on LedgerEntry',
  `ledgerId: uuid user @flatten { userId: externalId } eventType pointsAwarded: points
  userBalance: balanceAfter reference createdAt`,
)

const spent = fragment(
  'PointsSpent on LedgerEntry',
  `ledgerId: uuid user @flatten { userId: externalId } eventType pointsSpent: points
  userBalance: balanceAfter reference createdAt`,
  {
    pointsSpent: {
      schema: z.int().min(1).describe('Points that were taken.'),
      of: (points: unknown) => -Number(points),
    },
  },
)

const listed = `ledgerId: uuid user @flatten { userId: externalId } eventType reference
  pointsAwarded: points userBalance: balanceAfter createdAt`

/** What `listed` selects. */
const listedAward = z
  .object({
    status: z.literal('success').describe('The points were awarded.'),
    ledgerId: z.uuid().describe('The id of the ledger entry.'),
    userId: z.string().describe('Your id of the user.'),
    eventType: z.string().describe('The event type of the reward rule.'),
    pointsAwarded: z.int().describe('Points that the reward rule gave.'),
    userBalance: z.int().describe('The balance after this award.'),
    reference: z.string().describe('The reference of the award.'),
    createdAt: z.iso.datetime().describe('When it was written.'),
  })
  .meta({ title: 'ListedAward', about: 'An award of a list that was written.' })

const refusedAward = z
  .object({
    status: z.literal('error').describe('Nothing was awarded.'),
    code: z.int().describe('The HTTP status that a single award would have.'),
    message: z.string().describe('Readable message.'),
    errorCode: z.string().describe('Stable code of the error.'),
  })
  .meta({ title: 'RefusedAward', about: 'An award of a list that was refused.' })

const refusal = (errorCode: ErrorCode, message: string): z.input<typeof refusedAward> => ({
  status: 'error',
  code: errorTable[errorCode].status,
  message,
  errorCode,
})

const results = answer(
  z
    .object({
      results: z
        .array(z.discriminatedUnion('status', [listedAward, refusedAward]))
        .describe('One result for each award, in the order of the list.'),
    })
    .meta({ title: 'AwardResults', about: 'The results of a list of awards.' }),
  ({ results }) => ({
    results: results.map(({ problem, message, ...entry }: Record<string, unknown>) =>
      problem === undefined
        ? { status: 'success', ...entry }
        : refusal(problem as ErrorCode, String(message)),
    ),
  }),
)

/** The answer for all awards of a list, some of which were refused before they were sent. */
const answerForAll: Each['answer'] = (answer, refused) => {
  const sent = [...((answer?.results ?? []) as object[])]
  return {
    results: Array.from({ length: sent.length + refused.size }, (_, index) => {
      const message = refused.get(index)
      return message === undefined ? sent.shift() : refusal('VALIDATION_FAILED', message)
    }),
  }
}

export const points = [
  route('POST /v1/points/award', {
    key: 'secret',
    summary: 'Award points to a user',
    operation: `mutation ($userId: String!, $eventType: String!, $displayName: String, $email: String,
        $timeZone: TimeZone, $metadata: JSON, $reference: String) {
      result: awardPoints(input: { user: { externalId: $userId }, eventType: $eventType,
          displayName: $displayName, email: $email, timeZone: $timeZone, metadata: $metadata,
          reference: $reference }) {
        ... on AwardPointsPayload { ledgerEntry @flatten { ${award} } }
        ...Problem
      }
    }`,
    message: 'Points awarded successfully',
    optional: ['reference'],
  }),
  route('POST /v1/points/spend', {
    key: 'secret',
    summary: 'Take points that a user spends',
    operation: `mutation ($userId: String!, $points: Int!, $reference: String, $reason: String!) {
      result: spendPoints(input: { user: { externalId: $userId }, points: $points,
          reference: $reference, reason: $reason }) {
        ... on SpendPointsPayload { ledgerEntry @flatten { ${spent} } }
        ...Problem
      }
    }`,
    message: 'Points spent successfully',
    optional: ['reference'],
  }),
  route('POST /v1/points/award/batch', {
    key: 'secret',
    summary: 'Award points up to 500 times; each award succeeds or fails independently',
    operation: `mutation ($awards: [AwardInput!]!) {
      result: awardPointsBatch(input: { awards: $awards }) {
        ... on AwardPointsBatchPayload {
          results { ... on AwardPointsPayload { ledgerEntry @flatten { ${listed} } } ...Problem }
        } ...Problem
      }
    }`,
    each: {
      field: 'awards',
      item: `{ user: { externalId: $userId }, eventType: $eventType, displayName: $displayName,
        email: $email, timeZone: $timeZone, metadata: $metadata, reference: $reference }`,
      odd: 'The award must be an object',
      answer: answerForAll,
    },
    answer: results,
    message: 'Awards processed successfully',
    bodyLimit: 512 * 1024,
  }),
]
