/** The statements that an event sends: its users are locked and read once. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordCampaignEvents } from '../../src/campaigns/campaign-event.ts'
import { isBackground } from '../count-statements.ts'
import { createWorld, type World } from '../world.ts'
import { makeCampaign } from './promotion.ts'

type Client = { query: (...args: unknown[]) => unknown }

let world: World
let isLucky = false
/** The names of statements, or their texts. */
const sent: string[] = []
const watched = new WeakSet<Client>()

const watch = (client: Client) => {
  if (watched.has(client)) return
  watched.add(client)
  const query = client.query.bind(client)
  client.query = (...args) => {
    const [config] = args as [string | { text: string }]
    const text = typeof config === 'string' ? config : config.text
    if (!isBackground(text)) sent.push(/^\/\* (\w+)/.exec(text)?.[1] ?? text)
    return query(...args)
  }
}

beforeAll(async () => {
  world = await createWorld({ random: { int: (bound) => (isLucky ? 0 : bound - 1) } })
  const { pool } = world.server.database
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => Promise<Client>
  pool.connect = (async (...args: unknown[]) => {
    const client = await connect(...args)
    if (client) watch(client)
    return client
  }) as never
})
afterAll(() => world.end())

const steps = ['hold_campaigns', 'lock_or_make_users', 'read_rules_and_plays']

it.each([
  ['of a new user', false, [...steps, 'write_campaign_events']],
  ['of a known user', false, [...steps, 'write_campaign_events']],
  ['that wins', true, [...steps, 'lock_prize_tiers', 'write_campaign_events']],
])('an event %s takes at most seven statements', async (_, wins, expected) => {
  isLucky = wins
  const slug = await makeCampaign(world, 'summer-sale')
  sent.length = 0
  const [result] = await recordCampaignEvents(world.runtime, [
    { ...world.userKey('ann'), slug, eventType: 'purchase' },
  ])
  expect(result).toMatchObject({ instantWinDraw: { winCode: wins ? expect.any(String) : null } })
  expect(sent).toEqual(['BEGIN', ...expected, 'COMMIT'])
})
