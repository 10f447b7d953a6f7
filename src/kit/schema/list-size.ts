/** How many objects a field may return, and what it costs: in the extensions of the field, and in the schema as text. */
import type { GraphQLField } from 'graphql'
import { getNullableType, isListType } from 'graphql'

/** Items of a page of which a request does not say how many, and the most that it can have. */
export const defaultItems = 20
export const maxItems = 100

/** Objects of a list of which nothing else is known. */
const usualItems = 10

/** Points of a field, without those of the fields below it. */
const usualWeight = 1

/** A page: `nodes` and `edges` have as many items as the request names. */
export const ofPage = { isPage: true } as const

type PageArgs = { first?: number | null; last?: number | null }

/** The number of items that a request of a page names. */
const pageSize = ({ first, last }: PageArgs): number =>
  Math.min(Math.max(last ?? first ?? defaultItems, 1), maxItems)

type Declared = { field?: number; multiplier?: number }
type Declaration = number | Declared | undefined

/** A cost that depends on the arguments, and what is known of it without them. */
export const costByArgs = <A>(
  known: { field: number; multiplier: number },
  costOf: (args: A) => { field: number; multiplier: number },
) => Object.assign((args: A) => costOf(args), { known })

type Complexity = Declaration | (((args: unknown) => Declaration) & { known?: Declared })

type Field = Pick<GraphQLField<unknown, unknown>, 'type' | 'extensions'>

const isList = ({ type }: Field) => isListType(getNullableType(type))

const weightsOf = (field: Field, declared: Declaration) => {
  const usual = isList(field) ? usualItems : 1
  return typeof declared === 'object'
    ? { own: declared.field ?? usualWeight, times: declared.multiplier ?? usual }
    : { own: declared ?? usualWeight, times: usual }
}

/** Points of a field, and how often it costs what is below it, for a request with these arguments. */
export const weightsFor = (
  field: Field,
  args: () => object,
): { own: number; times: number; itemsOfPage: number | null } => {
  const { complexity, isPage } = field.extensions as { complexity?: Complexity; isPage?: true }
  const declared = typeof complexity === 'function' ? complexity(args()) : complexity
  return { ...weightsOf(field, declared), itemsOfPage: isPage ? pageSize(args()) : null }
}

/** The same without a request: what the schema says. `isExact` unless it depends on arguments other than of a page. */
export const knownWeights = (field: Field) => {
  const { complexity, isPage = false } = field.extensions as {
    complexity?: Complexity
    isPage?: true
  }
  const isOfArgs = typeof complexity === 'function' && complexity.known !== undefined
  const declared =
    typeof complexity === 'function' ? (complexity.known ?? complexity({})) : complexity
  return { ...weightsOf(field, declared), isPage, isList: isList(field), isExact: !isOfArgs }
}
