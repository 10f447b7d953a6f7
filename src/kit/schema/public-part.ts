/** Types of which everyone may see a part: the part is an interface, and the type itself is for its owner. */
import type { InterfaceFieldBuilder, InterfaceRef } from '@pothos/core'
import type { Context } from '../access/context.ts'
import { TesseraError } from '../errors.ts'
import { encodeNodeId } from '../node-id.ts'
import { builder, shownTypes, type Types } from './builder.ts'

type Fields<R> = (t: InterfaceFieldBuilder<Types, R>) => Record<string, unknown>

type UntypedInterfaces<R> = {
  prismaInterface(model: string, options: object): InterfaceRef<Types, R>
}

/**
 * What everyone may see of a type, as the interface `Public…`. Fields that may lead a stranger to an object have this
 * type. Its owner gets the type itself, with all fields; everyone else gets a `…View`, which has the same id.
 */
export const publicPart = <R extends { id: string }>(
  name: string,
  options: {
    description: string
    /** The model of its rows, if it has another name. */
    model?: string
    interfaces?: InterfaceRef<Types, R>[]
    /** Whether the caller owns an object. */
    isOwn(ctx: Context, row: R): boolean
    /** Whether everyone may see an object that `node` has found; true by default. */
    isPublic?(ctx: Context, row: R): Promise<boolean>
    fields: Fields<R>
  },
): InterfaceRef<Types, R> => {
  const { description, model = name, interfaces = [], isOwn, isPublic, fields } = options
  const typeOf = (row: R, ctx: Context) => (isOwn(ctx, row) ? name : `${name}View`)
  shownTypes.set(name, {
    typeOf: (row, ctx) => typeOf(row as R, ctx),
    isShown: async (row, ctx) =>
      isOwn(ctx, row as R) || ((await isPublic?.(ctx, row as R)) ?? true),
  })
  const inherited = [builder.nodeInterfaceRef(), ...interfaces]
  const id = {
    description: 'The global id, the same for the owner and everyone else.',
    resolve: ({ id }: R) => encodeNodeId(name, id),
  }
  // The descriptions of fields come from the model.
  const ref = (builder as unknown as UntypedInterfaces<R>).prismaInterface(model, {
    variant: `Public${name}`,
    findUnique: null,
    description: `${description} This is what everyone may see; its owner gets \`${name}\`.`,
    interfaces: inherited,
    resolveType: typeOf,
    fields: (t: InterfaceFieldBuilder<Types, R>) => ({ id: t.id(id), ...fields(t) }),
  })
  builder.objectRef<R>(`${name}View`).implement({
    description: `${description} As seen by everyone who does not own it.`,
    interfaces: [...inherited, ref] as never,
    fields: (t) => ({ id: t.id(id as never) }),
  })
  return ref
}

/**
 * Refuses an object of the type of owners to everyone else. If this happens, an edge has the wrong type: it needs the
 * public part.
 * @throws TesseraError RIGHT_REQUIRED
 */
export const refuseNonOwners =
  <R>(isOwn: (ctx: Context, row: R) => boolean) =>
  (row: R, ctx: Context): true => {
    if (!isOwn(ctx, row))
      throw new TesseraError('RIGHT_REQUIRED', { message: 'Only its owner may read this' })
    return true
  }
