import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

/** With a key, because in production only those who have one may ask for the schema. */
const fetchFn = (url: string, { headers, ...init }: RequestInit = {}) =>
  fetch(url, { ...init, headers: { ...headers, 'x-api-key': world.keys.public } })

describe('GraphQL over HTTP', () => {
  for (const audit of serverAudits({ url: () => `${world.base}/graphql`, fetchFn }))
    test(audit.name, async () => {
      const result = await audit.fn()
      // A notice is advice of the specification, not a duty.
      if (result.status === 'error') expect.fail(`${result.reason}`)
    })
})
