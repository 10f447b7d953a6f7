import { expect, test } from 'vitest'
import { createDocuments } from '../../src/graphql/documents.ts'
import { schema } from '../../src/schema.ts'

const documents = createDocuments(schema)

/** Parses and validates; returns the document and whether it is valid. */
const read = (text: string) => {
  const document = documents.parse(text)
  return { document, isValid: documents.validate(document).length === 0 }
}

test('a valid document is parsed once', () => {
  const text = '{ games { name } }'
  expect(read(text).isValid).toBe(true)
  expect(documents.parse(text)).toBe(read(text).document)
})

test('an invalid document is not cached', () => {
  const text = '{ games { cost } }'
  expect(read(text).isValid).toBe(false)
  expect(documents.parse(text)).not.toBe(read(text).document)
})

test('the cache is bounded in bytes and keeps the most recently used documents', () => {
  const text = (i: number) => `query D${i} { games { name } } # ${'x'.repeat(90_000)}`
  const first = read(text(0)).document
  for (let i = 1; i <= 60; i++) read(text(i))
  expect(documents.parse(text(0))).toBe(first)
  for (let i = 61; i <= 160; i++) read(text(i))
  expect(documents.parse(text(0))).not.toBe(first)
})
