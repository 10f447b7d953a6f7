import type { Context } from '../kit/access/context.ts'
import { encodeNodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { type Actor, findActors, seesMembers } from './actor.ts'
import { ApiKeyRef } from './api-key.graphql.ts'
import { MemberRef } from './member.graphql.ts'

export const ActorRef = builder.unionType('Actor', {
  description: 'Who did something by hand: a member, or a backend with a secret key.',
  types: [MemberRef, ApiKeyRef],
  resolveType: (actor) => ('passwordHash' in actor ? MemberRef : ApiKeyRef),
})

/** Options of the field that shows an actor. */
export const actorField = {
  type: ActorRef,
  nullable: true as const,
  description:
    'Who made it. Null for a member who was deleted, and for a member unless a member asks who may see members.',
  resolve: ({ memberId, apiKeyId }: Actor, _: unknown, ctx: Context) =>
    memberId && !seesMembers(ctx) ? null : ctx.read(findActors, { memberId, apiKeyId }),
}

/** Options of the field with the global id of an actor, which is kept after the member is deleted. */
export const actorIdField = {
  description: 'The global id of the member or API key that made it.',
  resolve: ({ memberId, apiKeyId }: Actor) =>
    memberId ? encodeNodeId('Member', memberId) : encodeNodeId('ApiKey', apiKeyId ?? ''),
}
