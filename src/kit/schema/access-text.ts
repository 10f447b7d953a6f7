/** What a field requires of its caller, as the end of its description. Made from the rule that the field enforces. */
import { type GraphQLField, type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql'
import type { Access } from '../access/context.ts'
import { type Right, rightsOfKind } from '../access/rights.ts'
import { isRoot } from './builder.ts'

const holders: Record<Exclude<Access, 'anyone' | 'operator'>, string> = {
  public: 'a public or secret key, or a member',
  secret: 'a secret key or a member',
  member: 'a member',
}

/** The weakest credential that can have the right: a scope of a key cannot add rights to its kind. */
const holderOf = (access: keyof typeof holders, right: Right | null): keyof typeof holders => {
  if (!right) return access
  if (access === 'public' && rightsOfKind.PUBLIC.includes(right)) return 'public'
  return access !== 'member' && rightsOfKind.SECRET.includes(right) ? 'secret' : 'member'
}

/** `Requires a secret key or a member, with the right KEYS_READ.` */
export const accessText = (access: Access, right: Right | null): string => {
  if (access === 'anyone') return 'Requires no API key.'
  if (access === 'operator') return 'For operators.'
  const holder = holders[holderOf(access, right)]
  return right ? `Requires ${holder}, with the right \`${right}\`.` : `Requires ${holder}.`
}

type Field = GraphQLField<unknown, unknown>

/** The rule of a field: that of its own, or what its owner needs. Null for a field that follows its object. */
const ruleOf = ({ extensions }: Field): readonly [Access, Right | null] | null => {
  const { pothosOptions, needsRead } = extensions as {
    pothosOptions?: { authScopes?: { key?: readonly [Access, Right | null] } }
    needsRead?: true
  }
  return pothosOptions?.authScopes?.key ?? (needsRead ? ['secret', 'READ'] : null)
}

/** The objects of any type, whose rules the types have. */
const ofAnyType = ['node', 'nodes']

const textOf = (field: Field, isOfRoot: boolean): string | null => {
  const rule = ruleOf(field)
  if (rule && rule[0] !== 'anyone') return accessText(...rule)
  if (!isOfRoot) return null
  if (ofAnyType.includes(field.name)) return 'Who may read an object depends on its type.'
  // A text that also says which other credential is needed.
  return field.description?.includes('Requires no API key') ? null : accessText('anyone', null)
}

/** Appends to the descriptions of all fields with a rule, and of all root fields, what they require. */
export const describeAccess = (schema: GraphQLSchema): void => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || !(isObjectType(type) || isInterfaceType(type))) continue
    const isOfRoot = roots.some((root) => root === type) || isRoot(type)
    for (const field of Object.values(type.getFields())) {
      const text = textOf(field, isOfRoot)
      if (!text) continue
      const { description } = field
      // REST documents the credential with each route.
      field.extensions = { description, ...field.extensions }
      field.description = [description, text].filter(Boolean).join(' ')
    }
  }
}
