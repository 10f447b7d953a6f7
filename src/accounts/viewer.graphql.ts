import {
  type Access,
  type Callers,
  type Context,
  isGoodCaller,
  type KeyCaller,
  requireCaller,
} from '../core/context.ts'
import { builder } from '../core/graphql/builder.ts'
import { enumType } from '../core/graphql/input.ts'
import { query } from '../core/graphql/query.ts'
import { EnvironmentRef } from '../core/graphql/vocabulary.ts'
import type { Tenant } from '../core/tenant.ts'
import { ApiKeyRef } from './api-key.graphql.ts'
import { MemberRef } from './member.graphql.ts'
import { PartnerRef } from './partner.graphql.ts'
import { findPartners } from './partner.ts'

const permissions = {
  PUBLIC: 'What a public key may do: play, and read what users may see.',
  SECRET: "What a secret key may do: manage the partner's users and campaigns.",
  MEMBER: 'What requires a member: keys, applications, members.',
  ADMIN: 'What concerns all partners.',
} as const satisfies Record<Uppercase<Exclude<Access, 'anyone'>>, string>

type Permission = keyof typeof permissions

const PermissionRef = enumType('Permission', 'What a caller may do.', permissions)

const isGranted = (ctx: Context, permission: Permission): boolean => {
  try {
    return requireCaller(ctx, permission.toLowerCase() as Access) !== null
  } catch {
    return false
  }
}

type Viewer = Tenant & { callers: Callers }

const ViewerRef = builder.objectRef<Viewer>('Viewer').implement({
  description: 'The caller, with its partner and permissions.',
  fields: (t) => ({
    partner: t.field({
      type: PartnerRef,
      description: "The caller's partner.",
      resolve: ({ partnerId }, _, ctx) => ctx.read(findPartners, partnerId),
    }),
    environment: t.expose('environment', {
      type: EnvironmentRef,
      description: 'The environment of the key, or of the header `X-Environment`.',
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
        return key ? ctx.db.apiKey.findUnique({ ...query, where: { id: key.keyId } }) : null
      },
    }),
    permissions: t.field({
      type: [PermissionRef],
      description: 'All permissions, including those that others imply.',
      resolve: (_, __, ctx) =>
        (Object.keys(permissions) as Permission[]).filter((one) => isGranted(ctx, one)),
    }),
  }),
})

query('viewer', {
  description: 'The caller. Requires any valid credential.',
  key: 'public',
  type: ViewerRef,
  resolve: (_, { callers }, { partnerId, environment }) => ({ partnerId, environment, callers }),
})
