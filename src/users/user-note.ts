/** Notes of a partner's team about users. Users never see them. */
import { z } from 'zod'
import type { UserNote } from '../generated/prisma/client.ts'
import { addToChanges } from '../kit/access/audit-entry.sql.ts'
import { inTransaction } from '../kit/database/db.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { nodeId } from '../kit/node-id.ts'
import { newId } from '../kit/random.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { title } from '../kit/validation.ts'
import { lockUsers, UserBy, type UserKey } from './end-user.ts'

export const AddUserNote = z
  .object({
    user: UserBy.describe('The user, who must exist.'),
    text: title(2000).describe('What your team should know. Kept until the user is erased.'),
  })
  .describe('A note about a user.')

export const DeleteUserNote = z
  .object({ noteId: nodeId('UserNote').describe('The note, by its global id or its UUID.') })
  .describe('A note to delete.')

/** The change in the audit log, without the text. */
const hiddenChange = (id: string, from: string | null, to: string | null) => ({
  table: 'user_note',
  id,
  field: 'text',
  from,
  to,
})

/**
 * Adds a note about a user.
 * @throws TesseraError USER_NOT_FOUND
 */
export const addUserNote = (
  work: Work,
  { text, memberId, ...key }: UserKey & { text: string; memberId: string },
): Promise<UserNote> =>
  inTransaction(work, async (txWork) => {
    // Locked, so that no erasure misses the note.
    const [user] = await lockUsers(txWork, [key])
    if (!user) throw new TesseraError('USER_NOT_FOUND')
    const note = { id: newId(), userId: user.id, text, memberId, createdAt: txWork.clock() }
    await addToChanges(txWork.tx, [hiddenChange(note.id, null, '***')])
    return ofTenant(txWork.tx, user).userNote.create({ data: note })
  })

/**
 * Deletes a note and returns it.
 * @throws TesseraError USER_NOTE_NOT_FOUND
 */
export const deleteUserNote = (
  work: Work,
  { noteId: id, ...tenant }: Tenant & z.output<typeof DeleteUserNote>,
): Promise<UserNote> =>
  inTransaction(work, async ({ tx }) => {
    const own = ofTenant(tx, tenant).userNote
    const note = await own.findFirst({ where: { id } })
    const { count } = await own.deleteMany({ where: { id } })
    // Of two who delete it at the same time, one is told that it is gone.
    if (!note || count === 0) throw new TesseraError('USER_NOTE_NOT_FOUND')
    await addToChanges(tx, [hiddenChange(id, '***', null)])
    return note
  })
