/** The GraphQL enums of sessions. */
import { enumType } from '../../kit/schema/input.ts'

export const ArenaSessionStatusRef = enumType('ArenaSessionStatus', 'The status of a session.', {
  WAITING: 'Players may join and leave.',
  IN_PROGRESS: 'It is being played.',
  COMPLETED: 'A result was accepted and the prize was paid.',
  EXPIRED: 'It expired. All entry fees were refunded.',
})

export const ArenaPlayerTypeRef = enumType('ArenaPlayerType', 'Who takes a seat.', {
  HUMAN: 'A user of a partner.',
  AGENT: 'An AI agent.',
})
