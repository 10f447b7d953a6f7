/** Root fields that read a node of one type. */
import { z } from 'zod'
import type { Access } from '../access/context.ts'
import type { Right } from '../access/rights.ts'
import { nodeId } from '../node-id.ts'
import { readNode } from './expected-version.ts'
import { query } from './query.ts'

/**
 * A root field that reads an object by its global id or its UUID. It finds what `node` finds, and says which right is
 * missing. For types whose id is their only key: others have an input `…By`.
 */
export const lookup = <T extends { $inferType: unknown; name: string }>(
  field: string,
  type: T,
  options: { description: string; key: Exclude<Access, 'anyone'>; right?: Right },
): void =>
  query(field, {
    ...options,
    args: z.object({ id: nodeId(type.name).describe('The global id or the UUID.') }),
    type,
    nullable: true,
    resolve: ({ id }, ctx, _caller, _parent, info) => readNode({ type: type.name, id }, ctx, info),
  })
