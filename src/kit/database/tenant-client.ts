/**
 * The wall between tenants. `Db` and `Queries` have no model whose rows belong to one partner in one environment:
 * those are reached through `ofTenant`, which names the tenant in every read and write, through `ofTenants` for a
 * batch, or through `acrossTenants`, which says why not. A wrapper instead of an extension of Prisma:
 * docs/decisions/tenant-client.md.
 */
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import type { Tenant } from '../tenant.ts'

type Scalars<M extends keyof Prisma.TypeMap['model']> =
  Prisma.TypeMap['model'][M]['payload']['scalars']

/** Partners meet in the arena: its rows are read by others than their owner, as its rules say. */
type ArenaModel = Extract<keyof Prisma.TypeMap['model'], `Arena${string}`>

/** The models whose rows belong to one partner in one environment. A second factor belongs to a member. */
export type TenantModel = {
  [M in keyof Prisma.TypeMap['model']]: M extends ArenaModel | 'SecondFactor'
    ? never
    : Scalars<M> extends Tenant
      ? Uncapitalize<M>
      : never
}[keyof Prisma.TypeMap['model']]

/** Data without its tenant. */
type Free<Data> = Data extends unknown ? Omit<Data, keyof Tenant> & Partial<Tenant> : never

type Args<M extends TenantModel, F extends 'create' | 'upsert'> = Prisma.Args<PrismaClient[M], F>

/** A unique key without its tenant. */
type FreeKey<Where> = Where extends unknown
  ? { [K in keyof Where]: K extends `partnerId_${string}` ? Free<NonNullable<Where[K]>> : Where[K] }
  : never

type DataOf<M extends TenantModel> = Free<Args<M, 'create'>['data']>

type Selected<M extends TenantModel> = Partial<
  Pick<Args<M, 'create'>, Extract<keyof Args<M, 'create'>, 'include' | 'select'>>
>

/** A model as one tenant sees it. */
type OwnModel<M extends TenantModel> = Pick<
  PrismaClient[M],
  | 'findFirst'
  | 'findFirstOrThrow'
  | 'findMany'
  | 'findUnique'
  | 'findUniqueOrThrow'
  | 'count'
  | 'aggregate'
  | 'groupBy'
  | 'update'
  | 'updateMany'
  | 'updateManyAndReturn'
  | 'deleteMany'
> & {
  create<A extends Selected<M> & { data: DataOf<M> }>(
    args: A,
  ): Promise<Prisma.Result<PrismaClient[M], A, 'create'>>
  createMany(args: {
    data: DataOf<M> | DataOf<M>[]
    skipDuplicates?: boolean
  }): Promise<Prisma.BatchPayload>
  upsert<
    A extends Selected<M> & {
      where: FreeKey<Args<M, 'upsert'>['where']>
      create: DataOf<M>
      update: Args<M, 'upsert'>['update']
    },
  >(args: A): Promise<Prisma.Result<PrismaClient[M], A, 'upsert'>>
}

export type TenantClient = { [M in TenantModel]: OwnModel<M> }

/** Reads the rows of many tenants, of which a batch has a key each. */
export type TenantsClient = { [M in TenantModel]: Pick<PrismaClient[M], 'findMany' | 'groupBy'> }

type Given = { where?: object; data?: object | object[]; create?: object; update?: object }
type Method = (args: object) => Promise<unknown>
type Models = Record<string, Record<string, Method>>

/** A client whose calls have other arguments. */
const rewriting = <C>(queries: object, rewrite: (args: Given, method: string) => Given): C =>
  new Proxy(queries as Models, {
    get: (models, name: string) =>
      new Proxy(models[name] as Models[string], {
        get: (model, method: string) => (args: Given) =>
          model[method]?.(rewrite(args ?? {}, method)),
      }),
  }) as C

/** Prisma takes a condition on undefined for none, so a row without its tenant would open the wall. */
const tenantIn = (row: Tenant): Tenant => {
  const { partnerId, environment } = row
  if (!partnerId || !environment) throw new Error('a row does not say whose it is')
  return { partnerId, environment }
}

/**
 * The rows of one tenant: the only ones that this client reads, changes, deletes and creates. A unique key whose name begins
 * with `partnerId_environment` is given without the tenant.
 */
export const ofTenant = (queries: object, owner: Tenant): TenantClient => {
  const tenant = tenantIn(owner)
  const owned = (row: object) => ({ ...row, ...tenant })
  /** A change moves no row to another tenant. */
  const unmoved = ({ partnerId, environment, ...row }: Partial<Tenant>) => row
  const within = (where: object = {}) => {
    const [[name, key] = []] = Object.entries(where)
    return name?.startsWith('partnerId_') ? { ...where, [name]: owned(key) } : owned(where)
  }
  return rewriting(queries, (args, method) => {
    const { data, create, update } = args
    if (method.startsWith('create'))
      return { ...args, data: Array.isArray(data) ? data.map(owned) : owned(data ?? {}) }
    return {
      ...args,
      where: within(args.where),
      ...(data && { data: unmoved(data as object) }),
      ...(create && { create: owned(create) }),
      ...(update && { update: unmoved(update) }),
    }
  })
}

/** The rows of the keys of a batch: of the tenant of each key, those to which its condition applies. */
export const ofTenants = <K extends Tenant>(
  queries: object,
  keys: readonly K[],
  conditionOf: (key: K) => object,
): TenantsClient => {
  const OR = keys.map((key) => ({ ...conditionOf(key), ...tenantIn(key) }))
  return rewriting(queries, ({ where, ...args }) => ({
    ...args,
    // Not inside of AND, where Prisma ignores an empty OR.
    where: { ...(where && { AND: [where] }), OR },
  }))
}

/** Why something is read or written without the name of a tenant. */
const reasons = {
  IDS: 'The ids are from rows that were read for their tenant, or the caller is compared with the row.',
  OPERATOR: 'A command of an operator is about all partners.',
  JOB: 'A job works for all partners.',
  CREDENTIAL: 'The row says whose the credential, the link or the code is.',
  ARENA: 'Partners meet in the arena.',
  LOTTERY: 'A lottery of the platform takes the tickets of all partners.',
} as const

/** All rows, for a reason. */
export const acrossTenants = (queries: object, _reason: keyof typeof reasons): PrismaClient =>
  queries as PrismaClient
