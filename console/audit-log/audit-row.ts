import type { PagePlace } from '../client/link.tsx'
import type { AuditLogQuery } from '../generated/types.ts'
import type { Kept } from '../history/restore.tsx'
import { humanized } from '../parts/formats.ts'
import {
  actionNames,
  creationNames,
  kindNames,
  ownActions,
  refusalNames,
  auditLogTexts as texts,
} from '../texts/audit-log-texts.ts'

export type AuditRow = AuditLogQuery['auditLog']['nodes'][number]

/** Names of others, such as a mutation that is newer than this page, are read as words. */
const wordsOf = (name: string) => humanized(name.replace(/[A-Z]/g, (letter) => ` ${letter}`))

export const kindOf = (type: string) => kindNames[type] ?? wordsOf(type).toLowerCase()

/** What was done, as `changed reward rule`. */
const phraseOf = (action: string, isNew = false) =>
  (isNew ? creationNames[action] : undefined) ??
  actionNames[action] ??
  wordsOf(action).trim().toLowerCase()

/** What an entry says was done, or refused. */
export const deedOf = ({ action, refusal, targetVersion, target }: AuditRow) => {
  const deed = refusal
    ? (refusalNames[action] ?? texts.wasRefused(phraseOf(action)))
    : phraseOf(action, targetVersion === 1)
  // The name of the user follows.
  return target?.__typename === 'User' ? deed.replace(/ a user$/, ' user') : deed
}

/** Who did it, in words. */
export const actorOf = ({ actorKind, actorName, address }: AuditRow): string => {
  if (actorName) return actorKind === 'KEY' ? texts.key(actorName) : actorName
  if (actorKind === 'OPERATOR') return texts.operator
  if (actorKind === 'SYSTEM') return texts.system
  return actorKind === 'UNKNOWN' && address ? texts.unknown : texts.deletedActor
}

/**
 * The name of the object, unless it is the person themselves. The log keeps no names of users: theirs is the present one,
 * and null once they are erased.
 */
export const objectOf = ({ action, targetName, targetType, target }: AuditRow): string | null => {
  if (ownActions.includes(action) || targetType === null) return null
  if (target?.__typename === 'User') return target.displayName ?? target.externalId
  return targetName
}

/** The pages that show one object each, by its id. */
const ownPages: Readonly<Record<string, PagePlace['page']>> = {
  ArenaAgent: 'agents',
  Campaign: 'campaigns',
  CodeBatch: 'codes',
  Goal: 'goals',
  Lottery: 'lotteries',
  Reward: 'rewards',
  Segment: 'segments',
  User: 'users',
  WebhookEndpoint: 'webhooks',
}

/** The pages that list objects of a type. */
const listPages: Readonly<Record<string, PagePlace['page']>> = {
  ApiKey: 'keys',
  Application: 'applications',
  ArenaGame: 'arena-games',
  ClassificationRules: 'stage-rules',
  Export: 'exports',
  Invitation: 'team',
  Member: 'team',
}

/** The page of the object; null if it is gone or has none. */
export const placeOf = ({ targetType, targetId, target }: AuditRow): PagePlace | null => {
  if (!targetType) return null
  if (targetType === 'ClassificationRules') return { page: 'stage-rules' }
  if (!target || !targetId) return null
  if (target.__typename === 'Game') return { page: 'games', id: target.gameType }
  if (target.__typename === 'CampaignCode') return { page: 'codes', id: target.codeBatch.id }
  if (targetType === 'RewardRule') return { page: 'reward-rules', search: { history: targetId } }
  if (targetType === 'OfferRule') return { page: 'offers', search: { history: targetId } }
  const own = ownPages[targetType]
  if (own) return { page: own, id: targetId }
  const listed = listPages[targetType]
  return listed ? { page: listed } : null
}

/** The object whose settings can be restored; null if it is gone. */
export const keptOf = ({ targetType, targetId, target }: AuditRow): Kept | null => {
  if (!target || !targetId) return null
  if (target.__typename === 'Game') return { type: 'Game', gameType: target.gameType }
  switch (targetType) {
    case 'RewardRule':
    case 'OfferRule':
    case 'Campaign':
    case 'Lottery':
      return { type: targetType, id: targetId }
    default:
      return null
  }
}
