/** Asks agents of every kind for their moves. */

import type { ArenaAgent } from '../../generated/prisma/client.ts'
import type { Runtime } from '../../kit/runtime.ts'
import { bindTo, type SealedColumn, unseal } from '../../kit/security/seal.ts'
import type { LoggedMove } from './agent-move.ts'
import { askChat } from './chat-player.ts'
import { createOutgoing, NoAnswerError, TooLateError } from './outgoing.ts'
import type { MoveRequest } from './situation.ts'
import { isStrategy, strategies } from './strategies.rules.ts'
import { askWebhook } from './webhook-player.ts'

/** For sealing the keys and secrets of agents. */
export const agentSecretPurpose = 'arena-agent'

export const sealedAgentColumns: SealedColumn[] = [
  { table: 'arena_agent', column: 'secret', key: { id: 'uuid' }, purpose: agentSecretPurpose },
]

export type Players = {
  /** The move of an agent, or the fault that loses it the game. Never throws because of an agent's answer. */
  choose(agent: ArenaAgent, request: MoveRequest): Promise<LoggedMove>
  close(): Promise<void>
}

/** The maximum number of characters kept of an answer that is not a legal move. */
const keptAnswer = 50

/** Any answer as text that the database can store. */
const storable = (answer: string) =>
  answer.slice(0, keptAnswer).replaceAll('\0', '\uFFFD').toWellFormed()

export const createPlayers = (
  runtime: Pick<Runtime, 'config' | 'clock' | 'random' | 'keys' | 'log'>,
): Players => {
  const { config, clock, random, keys, log } = runtime
  const { moveTimeMs } = config.arena
  const outgoing = createOutgoing(config)

  const ask = (agent: ArenaAgent, request: MoveRequest): Promise<string> | string => {
    const { provider, modelId } = agent
    if (provider === 'BUILTIN') {
      if (!isStrategy(modelId)) throw new NoAnswerError()
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
        if (!(err instanceof NoAnswerError))
          log.warn({ err, agentId: agent.id }, 'an agent could not be asked')
        return { slot, action: null, fault: 'FAILED' }
      }
    },
    close: () => outgoing.close(),
  }
}
