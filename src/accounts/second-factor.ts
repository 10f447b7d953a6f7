/** The second factor of a member: codes of an authenticator app, and recovery codes for when it is lost. */
import { randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'
import type { Member, SecondFactor } from '../generated/prisma/client.ts'
import { refusedAttempt } from '../kit/access/audited.ts'
import type { MemberCaller } from '../kit/access/context.ts'
import type { Queries } from '../kit/database/db.ts'
import { sqlState } from '../kit/database/outage.ts'
import { TesseraError } from '../kit/errors.ts'
import type { Runtime, Work } from '../kit/runtime.ts'
import { bindTo, macOf, type SealedColumn, seal, unseal } from '../kit/security/seal.ts'
import { text } from '../kit/validation.ts'
import { endSignIns } from './known-sign-in.ts'
import { useRecoveryCode } from './member.sql.ts'
import { countGuess } from './password.ts'
import { base32Of, otpauthUri, stepOfCode } from './totp.ts'

export const StartTotp = z
  .object({ currentPassword: text(1024).describe('The current password.') })
  .describe("The caller's password, so that a stolen token alone cannot lock them out.")

const code = () => text(64).describe('The code that the app shows now.')

export const ConfirmTotp = z
  .object({ code: code() })
  .describe('A first code, which proves that the app has the secret.')

export const DisableTotp = z
  .object({ code: code().describe('The code that the app shows now, or a recovery code.') })
  .describe('A code, which proves that the caller has the second factor.')

type Store = Pick<Runtime, 'db' | 'tx' | 'clock' | 'keys' | 'singletons'>

const purpose = 'second-factor'

export const sealedSecondFactorColumns: SealedColumn[] = [
  { table: 'second_factor', column: 'secret', key: { id: 'uuid' }, purpose },
]

const recoveryCodes = 10

const secretOf = ({ keys }: Pick<Store, 'keys'>, factor: SecondFactor) =>
  unseal(keys.master, bindTo(factor, purpose), factor.secret)

/** Case, spaces and hyphens do not matter. */
const digestOf = ({ keys }: Pick<Store, 'keys'>, memberId: string, recoveryCode: string) => {
  const letters = recoveryCode.toUpperCase().replace(/[^A-Z2-7]/g, '')
  return macOf(keys.pepper, 'recovery-code', `${memberId} ${letters}`).toString('base64url')
}

/** Whether each member has a confirmed second factor. */
export const haveSecondFactor = async (
  { tx }: Pick<Work, 'tx'>,
  memberIds: string[],
): Promise<boolean[]> => {
  const factors = await tx.secondFactor.findMany({
    where: { memberId: { in: memberIds }, confirmedAt: { not: null } },
    select: { memberId: true },
  })
  return memberIds.map((id) => factors.some(({ memberId }) => memberId === id))
}

/**
 * Creates a secret for the app of a member. It takes effect once it is confirmed; starting again replaces it.
 * @throws TesseraError SECOND_FACTOR_ACTIVE
 */
export const startTotp = async (
  { db, keys, clock }: Store,
  { id: memberId, partnerId, email }: Member,
): Promise<{ secret: string; uri: string }> => {
  const known = await db.secondFactor.findUnique({ where: { memberId } })
  if (known?.confirmedAt) throw new TesseraError('SECOND_FACTOR_ACTIVE')
  const secret = base32Of(randomBytes(20))
  const row = { id: known?.id ?? uuid(), partnerId, environment: 'LIVE' } as const
  const sealed = seal(keys.master, bindTo(row, purpose), secret)
  await db.secondFactor
    .upsert({
      where: { memberId, confirmedAt: null },
      create: { ...row, memberId, secret: sealed, createdAt: clock() },
      update: { secret: sealed, createdAt: clock() },
    })
    .catch((error) => {
      // Confirmed in the meantime.
      throw sqlState(error) === '23505' ? new TesseraError('SECOND_FACTOR_ACTIVE') : error
    })
  return { secret, uri: otpauthUri(secret, email) }
}

/**
 * Uses up a code of the app. Of two concurrent uses of a code, only one succeeds.
 * @returns whether it is right and was not used before
 */
const useCode = async (store: Store, factor: SecondFactor, code: string, data: object = {}) => {
  const step = stepOfCode(secretOf(store, factor), code, store.clock())
  if (step === null) return false
  const { id, secret, confirmedAt } = factor
  const { count } = await store.db.secondFactor.updateMany({
    where: { id, secret, confirmedAt, lastStep: { lt: step } },
    data: { ...data, lastStep: step },
  })
  return count === 1
}

type Attempt = {
  code: string
  /** A network, or the sign-in of a member who is signed in. */
  origin: string
  isFamiliar: boolean
}

/**
 * Checks a code, which counts as a guess, and uses it up with `use`.
 * @throws TesseraError INVALID_SECOND_FACTOR, ACCOUNT_LOCKED
 */
const tryCode = async (
  store: Store,
  { memberId, partnerId }: SecondFactor,
  { origin, isFamiliar }: Omit<Attempt, 'code'>,
  use: () => Promise<boolean>,
): Promise<void> => {
  const uncount = await countGuess(store, {
    account: `second factor ${memberId}`,
    origin,
    isFamiliar,
  })
  if (!(await use()))
    throw refusedAttempt([{ id: memberId, partnerId }], new TesseraError('INVALID_SECOND_FACTOR'))
  await uncount()
}

const useAnyCode = async (store: Store, factor: SecondFactor, code: string) =>
  (await useCode(store, factor, code.replaceAll(' ', ''))) ||
  (await useRecoveryCode(store.db, factor.memberId, digestOf(store, factor.memberId, code))) === 1

const ownAttempt = ({ signInId }: MemberCaller) => ({
  origin: `sign-in ${signInId}`,
  isFamiliar: true,
})

const findFactor = (db: Queries, memberId: string) =>
  db.secondFactor.findUnique({ where: { memberId } })

/**
 * Checks a first code of the app.
 * @throws TesseraError SECOND_FACTOR_INACTIVE, SECOND_FACTOR_ACTIVE, INVALID_SECOND_FACTOR, ACCOUNT_LOCKED
 */
export const checkFirstCode = async (
  store: Store,
  caller: MemberCaller,
  { code }: z.output<typeof ConfirmTotp>,
): Promise<{ factor: SecondFactor; code: string }> => {
  const factor = await findFactor(store.db, caller.memberId)
  if (!factor) throw new TesseraError('SECOND_FACTOR_INACTIVE')
  if (factor.confirmedAt) throw new TesseraError('SECOND_FACTOR_ACTIVE')
  const secret = secretOf(store, factor)
  const isRight = async () => stepOfCode(secret, code, store.clock()) !== null
  await tryCode(store, factor, ownAttempt(caller), isRight)
  return { factor, code }
}

/**
 * Enables the second factor and ends the other sign-ins of the caller, which needed none. Returns the recovery codes.
 * Only their digests are stored.
 * @throws TesseraError INVALID_SECOND_FACTOR when it was confirmed or started again in the meantime
 */
export const confirmTotp = async (
  store: Store,
  { memberId, signInId }: MemberCaller,
  { factor, code }: Awaited<ReturnType<typeof checkFirstCode>>,
): Promise<string[]> => {
  const codes = Array.from({ length: recoveryCodes }, () =>
    base32Of(randomBytes(10)).replace(/(.{4})(?=.)/g, '$1-'),
  )
  const recoveryDigests = codes.map((code) => digestOf(store, memberId, code))
  const news = { confirmedAt: store.clock(), recoveryDigests }
  if (!(await useCode(store, factor, code, news))) throw new TesseraError('INVALID_SECOND_FACTOR')
  await endSignIns(store, memberId, signInId)
  return codes
}

/**
 * Checks a code before the second factor is removed.
 * @throws TesseraError SECOND_FACTOR_INACTIVE, INVALID_SECOND_FACTOR, ACCOUNT_LOCKED
 */
export const checkCode = async (
  store: Store,
  caller: MemberCaller,
  { code }: z.output<typeof DisableTotp>,
): Promise<void> => {
  const factor = await findFactor(store.db, caller.memberId)
  if (!factor?.confirmedAt) throw new TesseraError('SECOND_FACTOR_INACTIVE')
  await tryCode(store, factor, ownAttempt(caller), () => useAnyCode(store, factor, code))
}

/** Removes the second factor of the caller and ends their other sign-ins. */
export const disableTotp = async (
  store: Store,
  { memberId, signInId }: MemberCaller,
): Promise<Member> => {
  const { db } = store
  await db.secondFactor.deleteMany({ where: { memberId } })
  await endSignIns(store, memberId, signInId)
  return db.member.findUniqueOrThrow({ where: { id: memberId } })
}

/**
 * Checks the second factor of a sign-in after the password, if the member has one.
 * @throws TesseraError SECOND_FACTOR_REQUIRED, INVALID_SECOND_FACTOR, ACCOUNT_LOCKED
 */
export const requireSecondFactor = async (
  store: Store,
  { id }: Pick<Member, 'id'>,
  { code, ...attempt }: Omit<Attempt, 'code'> & { code?: string | null | undefined },
): Promise<void> => {
  const factor = await findFactor(store.db, id)
  if (!factor?.confirmedAt) return
  if (code == null) throw new TesseraError('SECOND_FACTOR_REQUIRED')
  await tryCode(store, factor, attempt, () => useAnyCode(store, factor, code))
}
