/** Where in the input of a mutation the cause of an error is. */
import { z } from 'zod'
import { type DataOf, errorTable, pathOf, type TesseraError } from '../errors.ts'
import { unwrap } from './input.ts'

type Schema = z.core.$ZodType

/** The name of a type of nodes as `ResourceType` has it. */
const resourceOf = (typename: string) => typename.replace(/[A-Z]/g, '_$&').slice(1).toUpperCase()

type Place = { resource: string; path: string }

/** The fields that name a node by its id, or by one of several keys with its id among them. */
const placesOf = (schema: z.ZodObject, parent = ''): Place[] =>
  Object.entries(schema.shape as Record<string, Schema>).flatMap(([name, field]) => {
    const path = `${parent}${name}`
    const { schema: inner } = unwrap(field)
    const { node } = z.globalRegistry.get(inner) ?? {}
    if (node !== undefined) return { resource: resourceOf(String(node)), path }
    if (!(inner instanceof z.ZodObject)) return []
    const isKey = z.globalRegistry.get(inner)?.isOneOf === true
    return placesOf(inner, `${path}.`).map((place) => (isKey ? { ...place, path } : place))
  })

const has = (schema: z.ZodObject, field: string) =>
  Object.hasOwn(schema.shape, pathOf(field)[0] ?? '')

/**
 * Finds the field of an input that caused an error: what the thrower says, the only invalid field, the field that must be
 * unique, or the only field that names an object of the type that was not found. Null if that is not one field.
 */
export const errorPaths = (schema: z.ZodObject | undefined) => {
  const places = Map.groupBy(schema ? placesOf(schema) : [], ({ resource }) => resource)
  return ({ code, data, path, errors }: TesseraError): string[] | null => {
    if (path !== undefined) return pathOf(path)
    const [fault, ...others] = errors ?? []
    if (fault && fault.field !== '' && others.length === 0) return pathOf(fault.field)
    const { field } = data as Partial<DataOf<'Taken'>>
    if (field !== undefined) return schema && has(schema, field) ? pathOf(field) : null
    const { resource = errorTable[code].resource } = data as DataOf<'NotFound'>
    const [place, ...more] = places.get(resource ?? '') ?? []
    return place && more.length === 0 ? pathOf(place.path) : null
  }
}
