/** Signed links to the files of exports. */
import { rightsOfKey } from '../accounts/key-authentication.ts'
import type { DataExport } from '../generated/prisma/client.ts'
import { rightsOfRole } from '../kit/access/rights.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { isTokenOf, type MasterKey, macOf } from '../kit/security/seal.ts'
import { exportStatusOf } from './export.ts'

/**
 * Whether the partner of each export is open, and the key or member that started it could still start one. So a leaked link
 * ends with the access of who made it.
 */
const mayStillExport = async (
  { tx, clock }: Pick<Work, 'tx' | 'clock'>,
  exports: DataExport[],
): Promise<boolean[]> => {
  const idsOf = (column: 'memberId' | 'apiKeyId') => exports.flatMap((one) => one[column] ?? [])
  const [partners, members, keys] = await Promise.all([
    tx.partner.findMany({
      where: { id: { in: exports.map(({ partnerId }) => partnerId) }, closedAt: null },
    }),
    tx.member.findMany({ where: { id: { in: idsOf('memberId') } } }),
    tx.apiKey.findMany({
      where: {
        id: { in: idsOf('apiKeyId') },
        revokedAt: null,
        application: { status: 'ACTIVE' },
        OR: [{ expiresAt: null }, { expiresAt: { gt: clock() } }],
      },
    }),
  ])
  const open = new Set(partners.map(({ id }) => id))
  const able = new Set([
    ...members.filter(({ role }) => rightsOfRole[role].includes('EXPORT')).map(({ id }) => id),
    ...keys.filter((key) => rightsOfKey(key).includes('EXPORT')).map(({ id }) => id),
  ])
  return exports.map(
    ({ partnerId, memberId, apiKeyId }) =>
      open.has(partnerId) && able.has(memberId ?? apiKeyId ?? ''),
  )
}

const signatureOf = (id: string, expires: number) => (key: MasterKey) =>
  macOf(key.text, 'export link', `${id} ${expires}`).toString('hex')

/** The link to the file; null unless it can be downloaded. The link needs no key. */
export const linkOf = async (
  { config, keys, clock, read }: Pick<Runtime, 'config' | 'keys' | 'clock' | 'read'>,
  found: DataExport,
): Promise<string | null> => {
  const { id, expiresAt } = found
  if (exportStatusOf(found, clock()) !== 'COMPLETED' || !expiresAt) return null
  if (!(await read(mayStillExport, found))) return null
  const expires = Math.floor(expiresAt.getTime() / 1000)
  const signature = signatureOf(id, expires)(keys.master[0])
  return `${config.publicUrl}/v1/exports/${id}?expires=${expires}&signature=${signature}`
}

/**
 * The export that a link leads to. Nothing is cached: a link ends at once on every node.
 * @throws TesseraError EXPORT_LINK_INVALID, EXPORT_LINK_EXPIRED, EXPORT_LINK_REVOKED
 */
export const followLink = async (
  runtime: Pick<Runtime, 'db' | 'tx' | 'keys' | 'clock'>,
  { id, expires, signature }: { id: string; expires: unknown; signature: unknown },
): Promise<DataExport> => {
  const { db, keys, clock } = runtime
  const isSigned =
    typeof signature === 'string' &&
    isTokenOf(keys.master, signature, signatureOf(id, Number(expires)))
  if (!isSigned) throw new TesseraError('EXPORT_LINK_INVALID')
  const found = await db.dataExport.findUnique({ where: { id } })
  if (!found || exportStatusOf(found, clock()) !== 'COMPLETED')
    throw new TesseraError('EXPORT_LINK_EXPIRED')
  const [isAllowed] = await mayStillExport(runtime, [found])
  if (!isAllowed) throw new TesseraError('EXPORT_LINK_REVOKED')
  return found
}
