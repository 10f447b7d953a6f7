/** Revocation of the tokens of a user: all tokens issued before it are refused. */
import type { Runtime, Work } from '../kit/runtime.ts'
import { macOf } from '../kit/security/seal.ts'
import { type Tenant, tenantOf } from '../kit/tenant.ts'
import type { ExternalId } from '../kit/user-id.ts'
import { identityCache } from './identity-cache.ts'

type TokenUser = Tenant & { externalId: ExternalId }

/** The user as stored. It can be compared but does not identify anybody. */
const digestOf = (
  { keys }: Pick<Work, 'keys'>,
  { partnerId, environment, externalId }: TokenUser,
): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    macOf(keys.pepper, 'user-token-revocation', `${partnerId} ${environment} ${externalId}`),
  )

const nameOf = (tenant: Tenant, digest: Uint8Array) =>
  `${tenant.partnerId} ${tenant.environment} ${Buffer.from(digest).toString('base64')}`

/** Reads when the tokens of users were revoked; null for never. */
const findTokenRevocations = async (work: Work, users: TokenUser[]): Promise<(Date | null)[]> => {
  const keys = users.map((user) => ({ ...tenantOf(user), userDigest: digestOf(work, user) }))
  const rows = await work.tx.userTokenRevocation.findMany({ where: { OR: keys } })
  const found = new Map(rows.map((row) => [nameOf(row, row.userDigest), row.revokedAt]))
  return keys.map((key) => found.get(nameOf(key, key.userDigest)) ?? null)
}

const memoryOf = identityCache<{ revokedAt: Date | null }>('revocations of user tokens', 50_000)

const memoryNameOf = ({ partnerId, environment, externalId }: TokenUser) =>
  `${partnerId} ${environment} ${externalId}`

/** When the tokens of a user were last revoked; null for never, or too long ago to matter. */
export const revokedAtOf = async (runtime: Runtime, user: TokenUser): Promise<Date | null> => {
  const memory = memoryOf(runtime)
  const name = memoryNameOf(user)
  let found = memory.get(name)
  if (!found) {
    found = { revokedAt: await runtime.read(findTokenRevocations, user) }
    memory.set(name, found)
  }
  return found.revokedAt
}

/** Removes a revocation from the cache of this node. */
export const forgetTokenRevocation = (
  runtime: Pick<Runtime, 'singletons'>,
  user: TokenUser,
): void => void memoryOf(runtime).delete(memoryNameOf(user))

/** Revokes all tokens of a user, from any signer. The user need not exist. */
export const revokeUserTokens = async (work: Work, user: TokenUser): Promise<Date> => {
  const { tx, clock } = work
  const revokedAt = clock()
  const key = { ...tenantOf(user), userDigest: digestOf(work, user) }
  await tx.userTokenRevocation.upsert({
    where: { partnerId_environment_userDigest: key },
    create: { ...key, revokedAt },
    update: { revokedAt },
  })
  return revokedAt
}
