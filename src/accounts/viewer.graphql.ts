import {
  type Caller,
  type Callers,
  type Context,
  isGoodCaller,
  type KeyCaller,
} from '../kit/access/context.ts'
import { ofTenant } from '../kit/database/tenant-client.ts'
import { TesseraError } from '../kit/errors.ts'
import { encodeNodeId } from '../kit/node-id.ts'
import { builder } from '../kit/schema/builder.ts'
import { load } from '../kit/schema/edge.ts'
import { EnvironmentRef, RightRef } from '../kit/schema/input.ts'
import { query } from '../kit/schema/query.ts'
import type { Tenant } from '../kit/tenant.ts'
import { type Actor, actorOf, findActors, seesMembers } from './actor.ts'
import { ApiKeyRef } from './api-key.graphql.ts'
import { MemberRef } from './member.graphql.ts'
import { PartnerRef } from './partner.graphql.ts'
import { findPartners } from './partner.ts'

export const ActorRef = builder.unionType('Actor', {
  description:
    'Who is calling, or who did something by hand: a member, or a backend with an API key.',
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
    memberId && !seesMembers(ctx) ? null : load(ctx, findActors, { memberId, apiKeyId }),
}

/** Options of the field with the global id of an actor, which is kept after the member is deleted. */
export const actorIdField = {
  description: 'The global id of the member or API key that made it.',
  resolve: ({ memberId, apiKeyId }: Actor) =>
    memberId ? encodeNodeId('Member', memberId) : encodeNodeId('ApiKey', apiKeyId ?? ''),
}

/** The secret key, if both keys are sent. */
const callerShown = ({ secret, public: key, member }: Callers): Caller | undefined =>
  [secret, key, member].find(isGoodCaller)

type Viewer = Tenant & Pick<Caller, 'rights'> & { callers: Callers }

export const ViewerRef = builder.objectRef<Viewer>('Viewer').implement({
  description: 'The caller, with its partner and rights.',
  fields: (t) => ({
    partner: t.field({
      type: PartnerRef,
      description: 'The partner that the key or the member belongs to.',
      resolve: ({ partnerId }, _, ctx) => load(ctx, findPartners, partnerId),
    }),
    environment: t.expose('environment', {
      type: EnvironmentRef,
      description: 'The environment of the key, or of the header `X-Environment`.',
    }),
    actor: t.field({
      type: ActorRef,
      description: 'The member, or the API key; the secret key if both are sent.',
      resolve: async ({ callers }, _, ctx) => {
        const actor = await load(ctx, findActors, actorOf(callerShown(callers) as Caller))
        // Deleted since the credential was checked.
        if (!actor) throw new TesseraError('INVALID_BEARER_TOKEN')
        return actor
      },
    }),
    member: t.prismaField({
      type: MemberRef,
      nullable: true,
      description: 'The member; null for a key.',
      resolve: (query, { callers }, _, ctx) => {
        const { member } = callers
        if (!isGoodCaller(member)) return null
        return ctx.db.member.findUnique({ ...query, where: { id: member.memberId } })
      },
    }),
    apiKey: t.prismaField({
      type: ApiKeyRef,
      nullable: true,
      description: 'The API key; the secret key if both are sent. Null for a member.',
      resolve: (query, { callers }, _, ctx) => {
        const key = [callers.secret, callers.public].find(isGoodCaller) as KeyCaller | undefined
        if (!key) return null
        return ofTenant(ctx.db, key).apiKey.findUnique({ ...query, where: { id: key.keyId } })
      },
    }),
    rights: t.expose('rights', {
      type: [RightRef],
      description: 'What the caller may do: by the role of the member, or the scopes of the key.',
    }),
  }),
})

query('viewer', {
  description: 'The caller. Requires any valid credential.',
  key: 'public',
  right: null,
  type: ViewerRef,
  resolve: (_, { callers }, caller) => {
    const { partnerId, environment, rights } = callerShown(callers) ?? caller
    return { partnerId, environment, rights, callers }
  },
})
