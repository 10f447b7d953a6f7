import { findMembers, seesMembers } from '../accounts/actor.ts'
import { MemberRef } from '../accounts/member.graphql.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { encodeNodeId } from '../kit/node-id.ts'
import type { Work } from '../kit/runtime.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { list } from '../kit/schema/list.ts'
import { mutation } from '../kit/schema/mutation.ts'
import { ownRow } from '../kit/schema/owner.ts'
import { batched, findRowParts, type PartOf } from '../kit/schema/parts.ts'
import { rows } from '../kit/schema/rows.ts'
import { UserRef } from './end-user.graphql.ts'
import { externalIdOf, userOf } from './end-user.ts'
import { AddUserNote, addUserNote, DeleteUserNote, deleteUserNote } from './user-note.ts'

export const UserNoteRef = builder.prismaNode('UserNote', {
  description: 'A note of the team about a user. Users and API keys never see it.',
  id: { field: 'id' },
  nullable: true,
  findUnique: ownRow('member'),
  fields: (t) => ({
    text: t.exposeString('text', { description: 'What the team should know about the user.' }),
    member: t.field({
      type: MemberRef,
      nullable: true,
      description:
        'Who wrote it; null for a member who was deleted, and unless the caller may see members.',
      resolve: ({ memberId }, _, ctx) =>
        memberId && seesMembers(ctx) ? load(ctx, findMembers, memberId) : null,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written.' }),
  }),
})

const findNoteParts = (work: Work, requested: PartOf[]) =>
  findRowParts(work, { model: 'UserNote', parent: 'user_id', by: { id: 'uuid' } }, requested)

list([UserRef, 'notes'], {
  description: 'Notes of the team about the user, newest first.',
  key: 'member',
  of: UserNoteRef,
  orders: { CREATED_AT: { by: ['id'], description: 'By time of creation.' } },
  order: ['CREATED_AT', 'DESC'],
  from: ({ parent: user, order, ctx }) => {
    const source = rows(ofTenant(ctx.db, user).userNote, { where: { userId: user.id }, order })
    return batched(source, { parentId: user.id, order }, (part) => load(ctx, findNoteParts, part))
  },
})

mutation('addUserNote', {
  description: 'Adds a note about a user, for the team.',
  key: 'member',
  right: 'POINTS_ADJUST',
  input: AddUserNote,
  payload: { userNote: UserNoteRef, user: UserRef },
  errors: ['USER_NOT_FOUND'],
  resolve: async ({ user, text }, ctx, caller) => {
    const { partnerId, environment, memberId } = caller
    const externalId = await externalIdOf(ctx, caller, user)
    const note = await addUserNote(ctx, { partnerId, environment, externalId, text, memberId })
    return { userNote: note, user: await userOf(ctx, note) }
  },
})

mutation('deleteUserNote', {
  description: 'Deletes a note about a user.',
  key: 'member',
  right: 'POINTS_ADJUST',
  input: DeleteUserNote,
  payload: {
    deletedId: { type: 'ID', description: 'The global id of the deleted note.' },
    user: UserRef,
  },
  errors: ['USER_NOTE_NOT_FOUND'],
  resolve: async ({ noteId }, ctx, { partnerId, environment }) => {
    const note = await deleteUserNote(ctx, { partnerId, environment, noteId })
    return { deletedId: encodeNodeId('UserNote', note.id), user: await userOf(ctx, note) }
  },
})
