/**
 * `npm run schema:diff`: compares `schema.graphql` with that of the last release, `docs/released.graphql`. Fails if a
 * change breaks clients without a prior deprecation. A release copies the first file over the second.
 */
import { existsSync, readFileSync } from 'node:fs'
import { type Change, ChangeType, CriticalityLevel, diff } from '@graphql-inspector/core'
import {
  buildSchema,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql'

/** The first day on which a deprecated element may be removed, from `@deprecated(reason:)`. */
const removalDay = /\bRemoved on (\d{4}-\d\d-\d\d)\b/

/** The deprecation reason of `Type.field`, `Type.field.argument` or `Enum.VALUE`. */
const reasonOf = (schema: GraphQLSchema, path: string): string | undefined => {
  const [typeName = '', member = '', argument] = path.split('.')
  const type = schema.getType(typeName)
  if (isEnumType(type)) return type.getValue(member)?.deprecationReason ?? undefined
  if (isInputObjectType(type)) return type.getFields()[member]?.deprecationReason ?? undefined
  if (!isObjectType(type)) return undefined
  const field = type.getFields()[member]
  const element = argument ? field?.args.find(({ name }) => name === argument) : field
  return element?.deprecationReason ?? undefined
}

/** The tool calls these dangerous. A document that leaves the value out would mean something else. */
const defaultChanges: string[] = [
  ChangeType.FieldArgumentDefaultChanged,
  ChangeType.InputFieldDefaultValueChanged,
]

/** Whether a value that was the default is no longer. A default that is new writes down what was in the description. */
const changesDefault = ({ type, meta }: Change): boolean =>
  defaultChanges.includes(type) &&
  (meta as { oldDefaultValue?: unknown }).oldDefaultValue !== undefined

const isRemoval = ({ type }: Change) => /_REMOVED(_FROM_\w+)?$/.test(type)

/**
 * The changes that break clients of the released schema without notice.
 * @param day today, as `2027-01-31`
 */
export const unannounced = async (
  released: GraphQLSchema,
  now: GraphQLSchema,
  day: string,
): Promise<Change[]> =>
  (await diff(released, now)).filter((change) => {
    if (changesDefault(change)) return true
    if (change.criticality.level !== CriticalityLevel.Breaking) return false
    const [, date] = removalDay.exec(reasonOf(released, change.path ?? '') ?? '') ?? []
    return !(isRemoval(change) && date !== undefined && date <= day)
  })

const fileOf = (name: string) => new URL(`../${name}`, import.meta.url)

const main = async () => {
  const released = fileOf('docs/released.graphql')
  if (!existsSync(released)) return console.log('There has been no release yet: nothing can break.')
  const [before, now] = [released, fileOf('schema.graphql')].map((file) =>
    buildSchema(readFileSync(file, 'utf8')),
  ) as [GraphQLSchema, GraphQLSchema]
  for (const { criticality, message } of await diff(before, now))
    console.log(`${criticality.level.padEnd(12)}  ${message}`)
  const faults = await unannounced(before, now, new Date().toISOString().slice(0, 10))
  for (const { message } of faults) console.error(`Breaks clients without notice: ${message}`)
  if (faults.length > 0) process.exitCode = 1
}

if (import.meta.main) await main()
