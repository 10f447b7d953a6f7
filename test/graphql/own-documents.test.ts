/** Documents of our own pages are validated here, so that no start has to do it. */
import { expect, test } from 'vitest'
import { widgetDocuments } from '../../packages/widgets/src/all-documents.ts'
import { createDocuments } from '../../src/graphql/documents.ts'
import { consoleDocuments } from '../../src/pages/console-documents.ts'
import { ownDocuments } from '../../src/pages/spectators/wire.ts'
import { schema } from '../../src/schema.ts'

const documents = createDocuments(schema)
const all = [...ownDocuments, ...consoleDocuments, ...widgetDocuments]

test('every document of our pages fits the schema and the limits', () => {
  expect(all.length).toBeGreaterThan(50)
  for (const text of all) {
    const read = documents.read(text)
    expect('errors' in read ? read.errors.map(String) : [], text).toEqual([])
  }
})
