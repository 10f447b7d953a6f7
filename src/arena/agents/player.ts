/**
 * Asks agents of every kind for their moves. All providers of chat models are called through OpenAI's chat completions API;
 * requests to a partner's server are signed like webhooks.
 */

import { v7 as uuid } from 'uuid'
import type { ArenaAgent } from '../../generated/prisma/client.ts'
import type { ArenaAgentProvider } from '../../generated/prisma/enums.ts'
import type { Config } from '../../kit/config/config.ts'
import type { Logger } from '../../kit/observability/log.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { withoutEndSlashes } from '../../kit/security/address.ts'
import { bindTo, type SealedColumn, unseal } from '../../kit/security/seal.ts'
import { bodyOf, headersOf } from '../../kit/security/signature.ts'
import { type LoggedMove, type MoveRequest, moveRequested, situationOf } from './move.ts'
import {
  createOutgoing,
  longestAnswer,
  NoAnswerError,
  type Outgoing,
  readMove,
  TooLateError,
} from './outgoing.ts'
import { isStrategy, strategies } from './strategies.rules.ts'

/** The default endpoint of each provider. */
const defaultUrl: Partial<Record<ArenaAgentProvider, string>> = {
  CLAUDE: 'https://api.anthropic.com/v1',
  OPENAI: 'https://api.openai.com/v1',
  GEMINI: 'https://generativelanguage.googleapis.com/v1beta/openai',
  MISTRAL: 'https://api.mistral.ai/v1',
}

/** What is needed to request the moves of an agent. */
export type Player = Pick<
  ArenaAgent,
  | 'id'
  | 'partnerId'
  | 'environment'
  | 'provider'
  | 'modelId'
  | 'endpointUrl'
  | 'secret'
  | 'thinkingStyle'
>

/** The system prompt; the situation follows as JSON. */
const instructions = ({ game, slot }: MoveRequest, { thinkingStyle }: Player) =>
  [
    `You play ${game.title} as player ${slot} against another agent.`,
    game.rules,
    'Answer with a JSON object of one field and nothing else: {"move": "…"}, where the move is one of legalMoves.',
    ...(thinkingStyle ? [`Your style: ${thinkingStyle}`] : []),
  ].join('\n')

type AskedMove = {
  outgoing: Outgoing
  agent: Player
  /** The provider's API key or the signing secret, in plaintext. */
  secret: string | undefined
  request: MoveRequest
  timeoutMs: number
  deadline: Date
}

const fence = '```'

/** The content of a Markdown code fence, or the text itself if there is none. */
const withoutFence = (text: string): string => {
  const isFenced = text.length >= 2 * fence.length && text.startsWith(fence) && text.endsWith(fence)
  if (!isFenced) return text
  const inside = text.slice(fence.length, -fence.length)
  return inside.startsWith('json') ? inside.slice('json'.length) : inside
}

/** Parses the JSON object that a model wrote, with or without a Markdown code fence. */
const parseObject = (text: string): unknown => {
  try {
    return JSON.parse(withoutFence(text.trim()))
  } catch {
    throw new NoAnswerError('The model wrote no JSON object')
  }
}

/** @throws NoAnswerError, TooLateError */
const askChat = async ({
  outgoing,
  agent,
  secret,
  request,
  timeoutMs,
  deadline,
}: AskedMove): Promise<string> => {
  const base = agent.endpointUrl ?? defaultUrl[agent.provider]
  if (!base) throw new NoAnswerError('It has no address')
  const answer = (await outgoing.post(`${withoutEndSlashes(base)}/chat/completions`, {
    headers: secret ? { authorization: `Bearer ${secret}` } : {},
    body: JSON.stringify({
      model: agent.modelId,
      messages: [
        { role: 'system', content: instructions(request, agent) },
        { role: 'user', content: JSON.stringify(situationOf(request, deadline)) },
      ],
      response_format: { type: 'json_object' },
    }),
    timeoutMs,
  })) as { choices?: { message?: { content?: unknown } }[] } | null
  const content = answer?.choices?.[0]?.message?.content
  if (typeof content !== 'string') throw new NoAnswerError('The answer is no chat completion')
  return readMove(parseObject(content.slice(0, longestAnswer)))
}

/** @throws NoAnswerError, TooLateError */
const askWebhook = async ({
  outgoing,
  agent,
  secret,
  request,
  timeoutMs,
  deadline,
}: AskedMove): Promise<string> => {
  if (!agent.endpointUrl || !secret) throw new NoAnswerError('It has no address or no secret')
  const { type } = moveRequested
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

/** For sealing the keys and secrets of agents. */
export const agentSecretPurpose = 'arena-agent'

export const sealedAgentColumns: SealedColumn[] = [
  { table: 'arena_agent', column: 'secret', key: { id: 'uuid' }, purpose: agentSecretPurpose },
]

export type Players = {
  /** The move of an agent, or the fault that loses it the game. Never throws because of an agent's answer. */
  choose(agent: Player, request: MoveRequest): Promise<LoggedMove>
  close(): Promise<void>
}

/** The maximum number of characters kept of an answer that is not a legal move. */
const keptAnswer = 50

/** Any answer as text that the database can store. */
const storable = (answer: string) =>
  answer.slice(0, keptAnswer).replaceAll('\0', '\uFFFD').toWellFormed()

type PlayerParts = Pick<Runtime, 'clock' | 'random'> & {
  config: Pick<Config, 'arena' | 'production' | 'webhookAllowPrivate'>
  keys: Pick<Runtime['keys'], 'master'>
  log: Pick<Logger, 'warn'>
}

/** @param explain receives why an answer was FAILED, for the developer of the agent */
export const createPlayers = (
  { config, clock, random, keys, log }: PlayerParts,
  explain: (reason: NoAnswerError) => void = () => {},
): Players => {
  const { moveTimeMs } = config.arena
  const outgoing = createOutgoing(config)

  const ask = (agent: Player, request: MoveRequest): Promise<string> | string => {
    const { provider, modelId } = agent
    if (provider === 'BUILTIN') {
      if (!isStrategy(modelId)) throw new NoAnswerError('There is no such strategy')
      return strategies[modelId]({ ...request, random })
    }
    const secret = agent.secret
      ? unseal(keys.master, bindTo(agent, agentSecretPurpose), agent.secret)
      : undefined
    const deadline = new Date(clock().getTime() + moveTimeMs)
    const parts = { outgoing, agent, secret, request, timeoutMs: moveTimeMs, deadline }
    return provider === 'WEBHOOK' ? askWebhook(parts) : askChat(parts)
  }

  return {
    choose: async (agent, request) => {
      const { game, state, slot } = request
      try {
        const action = await ask(agent, request)
        return game.legalMoves(state, slot).includes(action)
          ? { slot, action, fault: null }
          : { slot, action: storable(action), fault: 'ILLEGAL_MOVE' }
      } catch (err) {
        if (err instanceof TooLateError) return { slot, action: null, fault: 'TIMEOUT' }
        if (err instanceof NoAnswerError) explain(err)
        else log.warn({ err, agentId: agent.id }, 'an agent could not be asked')
        return { slot, action: null, fault: 'FAILED' }
      }
    },
    close: () => outgoing.close(),
  }
}
