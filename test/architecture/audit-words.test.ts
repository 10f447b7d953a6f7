/** The audit log of the console has words for what the schema names. */
import { expect, test } from 'vitest'
import { actionNames, kindNames } from '../../console/texts/audit-log-texts.ts'
import { schema } from '../../src/schema.ts'

test('every mutation in the audit log has words, and no other', () => {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {})
  const audited = fields.filter(({ extensions }) => extensions.isAudited === true)
  expect(Object.keys(actionNames).sort()).toEqual(audited.map(({ name }) => name).sort())
})

test('every kind of object is a type of the schema', () => {
  const unknown = Object.keys(kindNames).filter((name) => !schema.getType(name))
  expect(unknown).toEqual([])
})
