/** Partners create and change their agents. */
import { randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { ArenaAgent } from '../../generated/prisma/client.ts'
import { ArenaAgentProvider } from '../../generated/prisma/enums.ts'
import { inTransaction } from '../../kit/database/db.ts'
import { refuseDuplicateKey } from '../../kit/database/outage.ts'
import { lockName } from '../../kit/database/session.sql.ts'
import { refused, TesseraError } from '../../kit/errors.ts'
import type { Runtime, Transaction, Work } from '../../kit/runtime.ts'
import { checkOutgoingUrl, mayBeLoopback } from '../../kit/security/address.ts'
import { bindTo, seal } from '../../kit/security/seal.ts'
import { type Tenant, tenantOf } from '../../kit/tenant.ts'
import { flag, httpsUrl, oneOf, text, title, urlOf } from '../../kit/validation.ts'
import { id } from '../arena-input.ts'
import { requireLive } from '../live-only.ts'
import { selectAgentsForUpdate } from './agent.sql.ts'
import { getOwnAgent } from './agent-read.ts'
import { agentSecretPurpose } from './player.ts'
import { isStrategy, strategies } from './strategies.rules.ts'

const name = () =>
  text(60)
    .regex(/^[a-z\d]+(-[a-z\d]+)*$/, 'must be lower-case letters and digits with hyphens between')
    .describe('Short name, unique within the partner: `deep-thought`.')

const endpointUrl = () =>
  urlOf(/^https?$/, 'must be an http or https URL').describe(
    'Where its moves are requested; required for CUSTOM (up to `/v1`) and WEBHOOK. A public https address; a development server also takes http on localhost.',
  )

const secret = () =>
  text(1024).describe('API key of its provider. Stored encrypted, and never shown again.')

const details = {
  displayName: title(100).describe('Name shown to spectators; not necessarily unique.'),
  description: text(2000).nullish().describe('What it is, for its public profile.'),
  avatarUrl: httpsUrl().nullish().describe('Picture.'),
  thinkingStyle: text(500).nullish().describe('Its style of play; part of the prompt of a model.'),
  isPublic: flag().nullish(),
}

export const CreateArenaAgent = z
  .object({
    name: name(),
    ...details,
    isPublic: details.isPublic.describe('Whether it is public. Defaults to true.'),
    provider: oneOf('ArenaAgentProvider', ArenaAgentProvider).describe(
      'Where its moves come from.',
    ),
    modelId: text(100).describe(
      `The strategy of a BUILTIN agent (${Object.keys(strategies).join(', ')}); otherwise the name of the model, and of your choice for a WEBHOOK.`,
    ),
    endpointUrl: endpointUrl().nullish(),
    apiKey: secret().nullish(),
  })
  .describe('An agent of the arena.')

export const UpdateArenaAgent = z
  .object({
    arenaAgentId: id('ArenaAgent').describe('The agent, by its global id or its UUID.'),
    displayName: details.displayName.nullish(),
    description: details.description,
    avatarUrl: details.avatarUrl,
    thinkingStyle: details.thinkingStyle,
    isPublic: details.isPublic.describe('Whether it is public.'),
    modelId: text(100)
      .nullish()
      .describe('A new strategy or model. The agent must be validated again.'),
    endpointUrl: endpointUrl()
      .nullish()
      .describe(
        'Where its moves are requested. If a key is stored, a new address requires `apiKey` as well.',
      ),
    apiKey: secret().nullish().describe('A new provider key; null removes it.'),
  })
  .describe('Changes to an agent. Omitted fields are unchanged.')

export type AgentStore = Work & Pick<Runtime, 'db' | 'config'>
export type AgentKey = Tenant & { agentId: string }

/** An agent with the plaintext secret that signs requests to its webhook, which is shown once. */
type WithSigningSecret = ArenaAgent & { signingSecret: string | null }

/** The maximum number of agents of a partner, not counting retired ones. */
const maxAgents = 50

/** Checks that the settings are enough to call the provider. @throws TesseraError VALIDATION_FAILED */
const checkConfiguration = (agent: {
  provider: ArenaAgent['provider']
  modelId: string
  endpointUrl: string | null
  hasSecret: boolean
}) => {
  const { provider, modelId, endpointUrl, hasSecret } = agent
  if (provider === 'BUILTIN') {
    if (!isStrategy(modelId))
      throw refused('modelId', `must be one of ${Object.keys(strategies).join(', ')}`)
    if (endpointUrl) throw refused('endpointUrl', 'must be omitted for BUILTIN')
    if (hasSecret) throw refused('apiKey', 'must be omitted for BUILTIN')
    return
  }
  const needsUrl = provider === 'CUSTOM' || provider === 'WEBHOOK'
  if (needsUrl && !endpointUrl) throw refused('endpointUrl', `is required for ${provider}`)
  if (!needsUrl && !hasSecret) throw refused('apiKey', `is required for ${provider}`)
}

const sealed = ({ keys }: AgentStore, agent: Tenant & { id: string }, secret: string) => ({
  secret: seal(keys.master, bindTo(agent, agentSecretPurpose), secret),
  secretLastFour: secret.slice(-4),
})

const checkUrl = ({ config }: AgentStore, tenant: Tenant, url: string) => {
  const allowPrivate = config.webhookAllowPrivate || mayBeLoopback(url, config)
  return checkOutgoingUrl(url, tenant, allowPrivate, 'endpointUrl')
}

type NewAgent = Tenant & z.output<typeof CreateArenaAgent>

/**
 * Checks the settings of a new agent. This includes DNS lookups, which take too long for a transaction.
 * @throws TesseraError LIVE_ONLY, VALIDATION_FAILED
 */
export const checkNewAgent = async (store: AgentStore, input: NewAgent): Promise<NewAgent> => {
  requireLive(input)
  const { provider, modelId, apiKey } = input
  if (provider === 'WEBHOOK' && apiKey)
    throw refused('apiKey', 'must be omitted for WEBHOOK: the signing secret is generated')
  checkConfiguration({
    provider,
    modelId,
    endpointUrl: input.endpointUrl ?? null,
    hasSecret: Boolean(apiKey),
  })
  const endpointUrl = input.endpointUrl ? await checkUrl(store, input, input.endpointUrl) : null
  return { ...input, endpointUrl }
}

/**
 * Creates an agent as a DRAFT. Its settings have been checked. Only this answer has the secret that signs requests to a
 * WEBHOOK.
 * @throws TesseraError AGENT_NAME_TAKEN, AGENT_LIMIT_REACHED
 */
export const createAgent = async (
  store: AgentStore,
  { apiKey, ...input }: NewAgent,
): Promise<WithSigningSecret> => {
  const { provider, modelId } = input
  const signingSecret =
    provider === 'WEBHOOK' ? `whsec_${randomBytes(32).toString('base64')}` : null
  const secret = signingSecret ?? apiKey
  const now = store.clock()
  const { partnerId, environment } = input
  const agent = await inTransaction(store, async ({ tx }) => {
    await lockName(tx, `arena_agent ${partnerId}`)
    const count = await tx.arenaAgent.count({
      where: { ...tenantOf(input), status: { not: 'RETIRED' } },
    })
    if (count >= maxAgents)
      throw new TesseraError('AGENT_LIMIT_REACHED', { limit: maxAgents, current: count })
    const row = { id: uuid(), partnerId, environment }
    return tx.arenaAgent.create({
      data: {
        ...row,
        name: input.name,
        displayName: input.displayName,
        description: input.description ?? null,
        avatarUrl: input.avatarUrl ?? null,
        thinkingStyle: input.thinkingStyle ?? null,
        provider,
        modelId,
        endpointUrl: input.endpointUrl ?? null,
        ...(secret && sealed(store, row, secret)),
        isPublic: input.isPublic ?? true,
        createdAt: now,
        updatedAt: now,
      },
    })
  }).catch(refuseDuplicateKey('AGENT_NAME_TAKEN', 'name', input.name))
  return { ...agent, signingSecret }
}

/**
 * Locks an agent of the caller until the transaction ends.
 * @throws TesseraError AGENT_NOT_FOUND
 */
export const lockAgent = async (
  { tx }: Pick<Transaction, 'tx'>,
  key: AgentKey,
): Promise<ArenaAgent> => {
  const { id } = await getOwnAgent({ tx }, key, key.agentId)
  await selectAgentsForUpdate(tx, [id])
  return getOwnAgent({ tx }, key, id)
}

export type AgentChange = AgentKey & Omit<z.output<typeof UpdateArenaAgent>, 'arenaAgentId'>

/**
 * Checks the new address of an agent, like `checkNewAgent`.
 * @throws TesseraError LIVE_ONLY, VALIDATION_FAILED
 */
export const checkAgentChange = async (
  store: AgentStore,
  change: AgentChange,
): Promise<AgentChange> => {
  requireLive(change)
  const { endpointUrl } = change
  return endpointUrl
    ? { ...change, endpointUrl: await checkUrl(store, change, endpointUrl) }
    : change
}

/**
 * Changes an agent, whose new address has been checked. A change of the model, address or key makes it a DRAFT again. A
 * key is sent only to the address that it was given for, so a new address needs the key again, or null.
 * @returns the agent, and the validation match in progress that the caller must close
 * @throws TesseraError AGENT_NOT_FOUND, AGENT_STATUS_CONFLICT, VALIDATION_FAILED
 */
export const changeAgent = (
  store: AgentStore,
  change: AgentChange,
): Promise<{ agent: ArenaAgent; droppedMatchId: string | null }> => {
  const {
    endpointUrl: url,
    displayName,
    description,
    avatarUrl,
    thinkingStyle,
    isPublic,
    apiKey,
  } = change
  return inTransaction(store, async ({ tx }) => {
    const before = await lockAgent({ tx }, change)
    const { provider } = before
    if (before.status === 'RETIRED')
      throw new TesseraError('AGENT_STATUS_CONFLICT', { status: before.status, since: null })
    const modelId = change.modelId ?? before.modelId
    const endpointUrl = url === undefined ? before.endpointUrl : url
    const isElsewhere = endpointUrl !== before.endpointUrl
    if (provider === 'WEBHOOK' && apiKey) throw refused('apiKey', 'must be omitted for WEBHOOK')
    const hasKey = provider !== 'WEBHOOK' && before.secret !== null
    const losesKey = hasKey && apiKey === null
    checkConfiguration({
      provider,
      modelId,
      endpointUrl,
      hasSecret: Boolean(apiKey) || (before.secret !== null && !losesKey),
    })
    if (isElsewhere && hasKey && apiKey === undefined)
      throw refused('apiKey', 'must be sent again, or be null, with a new endpointUrl')
    const needsValidation = Boolean(apiKey) || losesKey || isElsewhere || modelId !== before.modelId
    const agent = await tx.arenaAgent.update({
      where: { id: before.id },
      data: {
        ...(displayName && { displayName }),
        ...(description !== undefined && { description }),
        ...(avatarUrl !== undefined && { avatarUrl }),
        ...(thinkingStyle !== undefined && { thinkingStyle }),
        ...(isPublic != null && { isPublic }),
        ...(apiKey && sealed(store, before, apiKey)),
        ...(losesKey && { secret: null, secretLastFour: null }),
        ...(needsValidation && {
          modelId,
          endpointUrl,
          validationMatchId: null,
          ...(before.status !== 'SUSPENDED' && { status: 'DRAFT' as const }),
        }),
        updatedAt: store.clock(),
      },
    })
    return { agent, droppedMatchId: agent.validationMatchId ? null : before.validationMatchId }
  })
}
