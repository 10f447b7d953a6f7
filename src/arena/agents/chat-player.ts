/** Agents that play by a chat model. Every provider is called through OpenAI's chat completions API. */

import type { ArenaAgent } from '../../generated/prisma/client.ts'
import type { ArenaAgentProvider } from '../../generated/prisma/enums.ts'
import { withoutEndSlashes } from '../../kit/security/address.ts'
import { longestAnswer, NoAnswerError, type Outgoing, readMove } from './outgoing.ts'
import { type MoveRequest, situationOf } from './situation.ts'

/** The default endpoint of each provider. */
const defaultUrl: Partial<Record<ArenaAgentProvider, string>> = {
  CLAUDE: 'https://api.anthropic.com/v1',
  OPENAI: 'https://api.openai.com/v1',
  GEMINI: 'https://generativelanguage.googleapis.com/v1beta/openai',
  MISTRAL: 'https://api.mistral.ai/v1',
}

/** The system prompt; the situation follows as JSON. */
const instructions = ({ game, slot }: MoveRequest, { thinkingStyle }: ArenaAgent) =>
  [
    `You play ${game.title} as player ${slot} against another agent.`,
    game.rules,
    'Answer with a JSON object of one field and nothing else: {"move": "…"}, where the move is one of legalMoves.',
    ...(thinkingStyle ? [`Your style: ${thinkingStyle}`] : []),
  ].join('\n')

export type AskedMove = {
  outgoing: Outgoing
  agent: ArenaAgent
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
    throw new NoAnswerError()
  }
}

/** @throws NoAnswerError, TooLateError */
export const askChat = async ({
  outgoing,
  agent,
  secret,
  request,
  timeoutMs,
  deadline,
}: AskedMove): Promise<string> => {
  const base = agent.endpointUrl ?? defaultUrl[agent.provider]
  if (!base) throw new NoAnswerError()
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
  if (typeof content !== 'string') throw new NoAnswerError()
  return readMove(parseObject(content.slice(0, longestAnswer)))
}
