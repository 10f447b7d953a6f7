/** What members and keys may do: the rights, and who has them. Every mutation and query names the right it requires. */
import type { ApiKeyKind, MemberRole } from '../../generated/prisma/enums.ts'

export const rights = {
  READ: "Read the partner's data, except what has a right of its own. With a public key: what users may see.",
  ARENA_READ: "Read the partner's own agents, matches, games and earnings in the arena.",
  KEYS_READ: 'See applications and API keys, without the text of a key.',
  MEMBERS_READ: 'See who the members of the partner are.',
  AUDIT_READ: 'Read the audit log.',
  EXPORT: 'Export data, also that of one user.',
  PLAY: 'Act for users: play, claim, track and change seeds; with a secret key or as a member also enter lotteries and redeem codes, and create tokens of users.',
  POINTS_AWARD: 'Award points by reward rules.',
  POINTS_ADJUST:
    'Add and take points by hand, reverse entries of the ledger, block users, and keep notes about them.',
  GAMES_WRITE: 'Change games of chance and reward rules.',
  CAMPAIGNS_WRITE: 'Change campaigns and batches of codes.',
  PROGRAMME_WRITE: 'Change rewards and goals.',
  GRANTS_WRITE: 'Give rewards, revoke what was given, and try again what has failed.',
  LOTTERIES_WRITE: 'Change lotteries and their draws.',
  JOURNEYS_WRITE: 'Change segments, offers and their rules.',
  ARENA_WRITE: 'Change own agents and games of the arena, schedule matches, report results.',
  WEBHOOKS_WRITE: 'Change webhook endpoints and send events again.',
  USERS_ERASE: 'Erase the personal data of a user.',
  KEYS_WRITE: 'Change applications, create and revoke API keys.',
  MEMBERS_WRITE: 'Invite, change and delete members who are not owners.',
  OWNERS_WRITE: 'Make, change and delete owners.',
  SETTINGS_WRITE: 'Change settings of the partner, such as its time zone.',
  OWN_ACCOUNT: "Change one's own password, and end one's own sign-ins.",
} as const satisfies Record<string, string>

export type Right = keyof typeof rights

const all = Object.keys(rights) as Right[]

const allBut = (...without: Right[]) => all.filter((right) => !without.includes(right))

/** The rights of each role. Operating the service is not a right but a property of a member. */
export const rightsOfRole: Record<MemberRole, readonly Right[]> = {
  OWNER: all,
  ADMIN: allBut('OWNERS_WRITE'),
  EDITOR: [
    ...(['READ', 'ARENA_READ', 'MEMBERS_READ', 'PLAY', 'POINTS_AWARD', 'POINTS_ADJUST'] as const),
    ...(['GAMES_WRITE', 'CAMPAIGNS_WRITE', 'LOTTERIES_WRITE', 'JOURNEYS_WRITE'] as const),
    ...(['PROGRAMME_WRITE', 'GRANTS_WRITE'] as const),
    'OWN_ACCOUNT',
  ],
  ANALYST: ['READ', 'ARENA_READ', 'MEMBERS_READ', 'EXPORT', 'OWN_ACCOUNT'],
  DEVELOPER: ['ARENA_READ', 'ARENA_WRITE', 'OWN_ACCOUNT'],
}

/** The most that a key of each kind may do. Scopes can only reduce it. */
export const rightsOfKind: Record<ApiKeyKind, readonly Right[]> = {
  PUBLIC: ['READ', 'PLAY'],
  // What concerns people and keys requires a person.
  SECRET: allBut(
    ...(['AUDIT_READ', 'KEYS_WRITE', 'MEMBERS_READ', 'MEMBERS_WRITE'] as const),
    ...(['OWNERS_WRITE', 'SETTINGS_WRITE', 'OWN_ACCOUNT'] as const),
  ),
}
