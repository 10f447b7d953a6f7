/** Agents that a partner's server plays for. Requests are signed like webhooks. */
import { v7 as uuid } from 'uuid'
import { bodyOf, headersOf } from '../../kit/security/signature.ts'
import type { AskedMove } from './chat-player.ts'
import { NoAnswerError, readMove } from './outgoing.ts'
import { situationOf } from './situation.ts'

const type = 'arena.move_requested'

/** @throws NoAnswerError, TooLateError */
export const askWebhook = async ({
  outgoing,
  agent,
  secret,
  request,
  timeoutMs,
  deadline,
}: AskedMove): Promise<string> => {
  if (!agent.endpointUrl || !secret) throw new NoAnswerError()
  const occurredAt = new Date(deadline.getTime() - timeoutMs)
  const data = { agentId: agent.id, ...situationOf(request, deadline) }
  const body = bodyOf({ type, data: JSON.stringify(data), occurredAt })
  const timestamp = Math.floor(occurredAt.getTime() / 1000)
  const headers = headersOf({
    eventId: uuid(),
    type,
    body,
    timestamp,
    secret,
    previousSecret: null,
  })
  return readMove(await outgoing.post(agent.endpointUrl, { headers, body, timeoutMs }))
}
