/** Rows that follow from the data model, so that a new resource needs no line in the tests of the whole API. */
import { randomUUID } from 'node:crypto'
import { type GraphQLInterfaceType, isInterfaceType } from 'graphql'
import type { Tenant } from '../../src/kit/tenant.ts'
import { schema } from '../../src/schema.ts'
import type { World } from '../world.ts'
import type { Columns } from './row-copies.ts'

const node = schema.getType('Node')
if (!isInterfaceType(node)) throw new Error('Node is no interface')

/** Types that everyone who is no owner gets. Their objects have the ids of the owners' types. */
export const viewTypes = [
  'ArenaAgentView',
  'ArenaGameView',
  'CampaignView',
  'LotteryDrawView',
  'LotteryView',
  'UserView',
]

/** Names of the types that have a global id. */
export const nodeTypes: string[] = schema
  .getPossibleTypes(node satisfies GraphQLInterfaceType)
  .map(({ name }) => name)
  .filter((name) => !viewTypes.includes(name))
  .sort()

type Models = Record<string, { dbName: string | null }>

/** The table of the model of a type. */
const tableOf = ({ runtime: { db } }: World, type: string): string => {
  const model = schema.getType(type)?.extensions.pothosPrismaModel as string
  const { models } = (db as unknown as { _runtimeDataModel: { models: Models } })._runtimeDataModel
  return models[model]?.dbName ?? model
}

type Column = {
  name: string
  type: string
  /** The first value of an enum. */
  label: string | null
  isRequired: boolean
  isUnique: boolean
  isForeign: boolean
}

const columnsOf = async (world: World, table: string): Promise<Column[]> => {
  const { rows } = await world.server.database.pool.query<Column>({
    text: `SELECT attname AS name, format_type(atttypid, NULL) AS type,
        (SELECT enumlabel FROM pg_enum WHERE enumtypid = atttypid ORDER BY enumsortorder LIMIT 1) AS label,
        attnotnull AND NOT atthasdef AS "isRequired",
        EXISTS (SELECT FROM pg_index WHERE indrelid = attrelid AND indisunique AND attnum = ANY (indkey)) AS "isUnique",
        EXISTS (SELECT FROM pg_constraint WHERE conrelid = attrelid AND contype = 'f' AND attnum = ANY (conkey)) AS "isForeign"
      FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    values: [table],
  })
  return rows
}

const plainValues: Record<string, unknown> = {
  text: 'first',
  integer: 1,
  bigint: 1,
  boolean: false,
  jsonb: '{}',
  bytea: Buffer.from('first'),
}

const exampleOf = ({ type, label }: Column): unknown =>
  label ?? (type.startsWith('timestamp') ? new Date() : plainValues[type])

/** Inserts a row with a value in each required column. Null if it needs rows of other tables. */
const makeRow = async (world: World, table: string, columns: Column[], fixed: object) => {
  const id = randomUUID()
  const known = { ...fixed, id }
  const required = columns.filter(({ name, isRequired }) => isRequired && !(name in known))
  if (required.some((column) => column.isForeign || exampleOf(column) === undefined)) return null
  const row = {
    ...Object.fromEntries(required.map((column) => [column.name, exampleOf(column)])),
    ...known,
  }
  const names = Object.keys(row)
  await world.server.database.pool.query({
    text: `INSERT INTO ${table} (${names}) VALUES (${names.map((_, i) => `$${i + 1}`)})`,
    values: Object.values(row),
  })
  return id
}

/** The id of the oldest row of a type in an environment. One is made if there is none and it needs no other row. */
export const findOrMakeRow = async (
  world: World,
  type: string,
  { partnerId, environment }: Tenant,
): Promise<string | null> => {
  const table = tableOf(world, type)
  const columns = await columnsOf(world, table)
  const ofTenant = { partner_id: partnerId, environment }
  const fixed = Object.fromEntries(
    Object.entries(ofTenant).filter(([key]) => columns.some(({ name }) => name === key)),
  )
  const where = Object.keys(fixed).map((name, i) => `${name}::text = $${i + 1}`)
  const { rows } = await world.server.database.pool.query<{ id: string }>({
    text: `SELECT id FROM ${table} WHERE ${[...where, 'true'].join(' AND ')} ORDER BY id LIMIT 1`,
    values: Object.values(fixed),
  })
  if (rows[0]) return rows[0].id
  return where.length === 2 ? makeRow(world, table, columns, fixed) : null
}

const otherValues: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  text: `'c' || md5(random()::text)`,
  bytea: `'\\x' || md5(n::text)`,
}

/** How to copy the row of a type: its table, and other values in the columns that must differ. */
export const copiesOf = async (world: World, type: string): Promise<[string, Columns]> => {
  const table = tableOf(world, type)
  const columns = await columnsOf(world, table)
  const differing = columns.filter(
    ({ name, isUnique, isForeign }) => isUnique && (name === 'id' || !isForeign),
  )
  return [
    table,
    Object.fromEntries(
      differing
        .filter(({ name }) => !['partner_id', 'environment'].includes(name))
        .flatMap(({ name, type }) => (otherValues[type] ? [[name, otherValues[type]]] : [])),
    ),
  ]
}
