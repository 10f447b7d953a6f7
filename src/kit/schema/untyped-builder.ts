/**
 * The builder for helpers that generate types and fields from data. Pothos checks literal definitions; generated
 * ones are checked by the helper's signature.
 */
import type { ObjectRef } from '@pothos/core'
import { builder, type Types } from './builder.ts'

type Named = { name: string }
type Options = Record<string, unknown>
export type FieldMaker = { field(options: Options): unknown; arg(options: Options): unknown }
export type Fields = (t: FieldMaker) => Record<string, unknown>

type UntypedBuilder = {
  queryFields(fields: Fields): void
  mutationFields(fields: Fields): void
  objectFields(type: Named, fields: Fields): void
  args(args: (t: FieldMaker) => Record<string, unknown>): Record<string, unknown>
  unionType(name: string, options: Options): Named
  edgeObject(options: Options): Named
  connectionObject<T>(options: Options, edge: Named): ObjectRef<Types, T>
  objectRef<T>(name: string): { implement(options: Options): ObjectRef<Types, T> }
  inputRef<T>(name: string): T & Named & { implement(options: Options): unknown }
}

export const untypedBuilder = builder as unknown as UntypedBuilder
