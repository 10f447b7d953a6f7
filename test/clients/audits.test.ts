import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World
let token: string

beforeAll(async () => {
  world = await createWorld()
  token = await world.signInAs('OWNER')
})
afterAll(() => world.end())

/** As a member, because in production only they may ask for the schema. */
const fetchFn = (url: string, { headers, ...init }: RequestInit = {}) =>
  fetch(url, { ...init, headers: { ...headers, authorization: `Bearer ${token}` } })

describe('GraphQL over HTTP', () => {
  for (const audit of serverAudits({ url: () => `${world.base}/graphql`, fetchFn }))
    test(audit.name, async () => {
      const result = await audit.fn()
      // A notice is a recommendation of the specification, not a requirement.
      if (result.status === 'error') expect.fail(`${result.reason}`)
    })
})
