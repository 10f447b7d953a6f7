/** Numbers that guides and the OpenAPI document promise are those of the code. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { documentLimits } from '../../src/graphql/document-limits.ts'
import { maxOperationsOfBatch } from '../../src/graphql/named-documents.ts'
import { readConfig } from '../../src/kit/config/config.ts'
import { pointsOfRequest } from '../../src/kit/http/price.ts'
import { pointsOfOperation } from '../../src/kit/http/rate-limit.ts'
import { defaultItems, maxItems } from '../../src/kit/schema/list-size.ts'
import { introduction } from '../../src/rest/introduction.ts'
import { routes } from '../../src/rest/routes.ts'

const guide = readFileSync(new URL('../../docs/graphql.md', import.meta.url), 'utf8')

const sectionOf = (title: string) => guide.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''

const number = (value: number) => value.toLocaleString('en-US')

const { rateLimits } = readConfig({})

test('the limits of the guide are those of documents, lists and callers', () => {
  const rows = new Map(
    [...sectionOf('Limits').matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, what, most]) => [
      what,
      most,
    ]),
  )
  const { tokens, tokensOfBatch, depth, introspectionDepth, aliasesOfOneField } = documentLimits
  const secret = number((rateLimits?.secret ?? 0) * pointsOfRequest)
  const ofPublic = number((rateLimits?.public ?? 0) * pointsOfRequest)
  expect(Object.fromEntries(rows)).toEqual({
    What: 'At most',
    'Body of a request, message of a WebSocket': '100 KB',
    'Tokens of a document': `${number(tokens)}; ${number(tokensOfBatch)} in all documents of a batch that the server has not seen yet`,
    'Levels of fields': `${depth}; ${introspectionDepth} below \`__schema\` and \`__type\``,
    'Aliases of one field': `${aliasesOfOneField}`,
    'Fields, with those of each fragment wherever it is used': number(documentLimits.selections),
    'Points of an operation': number(documentLimits.complexity),
    'Items of a list at a time': `${maxItems}`,
    'Ids of `nodes`': '100',
    'Operations of a batch': `${maxOperationsOfBatch}`,
    Requests: `a secret key as many as cost ${secret} points a second, a public key ${ofPublic} for each address; by REST, ${rateLimits?.secret} and ${rateLimits?.public}`,
  })
})

test('the guide says what an operation costs at least and at most', () => {
  const text = sectionOf('Cost')
  for (const words of [
    `an operation costs at least ${pointsOfOperation}`,
    `20 if it has no \`first\``.replace('20', String(defaultItems)),
    `One operation may cost ${number(documentLimits.complexity)} points`,
    `A mutation has a price, like a REST request: ${pointsOfRequest} points`,
  ])
    expect(text).toContain(words)
})

test('the OpenAPI document says how many requests, and how large bodies, are accepted', () => {
  const text = introduction.replaceAll('\n', ' ')
  const { secret, public: ofPublic, anonymous } = rateLimits ?? {}
  expect(text).toContain(
    `A secret key may send ${secret} requests a second, a public key ${ofPublic} for each address, a caller without a key ${anonymous}.`,
  )
  const large = routes.filter(({ bodyLimit }) => bodyLimit !== 256 * 1024)
  expect(large.map(({ path, bodyLimit }) => [path, bodyLimit])).toEqual([
    ['/v1/points/award/batch', 512 * 1024],
    ['/v1/user-journeys/track', 512 * 1024],
  ])
  expect(text).toContain('A body has at most 256 KB, lists of awards and of events 512 KB.')
})
