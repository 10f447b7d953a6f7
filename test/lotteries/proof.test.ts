import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verify } from '../../packages/verifier/verify-draw.ts'
import type { Lottery } from '../../src/generated/prisma/client.ts'
import { enterLotteries } from '../../src/lotteries/ticket.ts'
import type { TicketView } from '../../src/lotteries/ticket-view.ts'
import { createWorld, type World } from '../world.ts'
import { makeLottery, openDrawOf } from './lottery.ts'

let world: World
let lottery: Lottery
let drawId: string
let refs: string[]
// biome-ignore lint/suspicious/noExplicitAny: the tests change a proof in every way
let proof: any

const proofOf = async (query = '', draw = drawId, slug = lottery.slug) =>
  (await world.get(`/v1/lotteries/${slug}/draws/${draw}/proof${query}`, world.keys.secret)).body
const execute = async (draw = drawId, slug = lottery.slug) => {
  const admin = await world.signInAs('OPERATOR')
  await world.post(`/admin/lotteries/${slug}/draws/${draw}/execute`, admin)
}
/** Enters users through the function that group commit calls. Returns the references of the tickets. */
const enterMany = async (slug: string, count: number): Promise<string[]> => {
  const results = await enterLotteries(
    world.runtime,
    Array.from({ length: count }, (_, n) => ({
      ...world.tenant,
      email: `Secret${n}@Example.com`,
      lotterySlug: slug,
      externalId: n % 2 ? world.userKey(`secret-user-${n}`).externalId : null,
    })),
  )
  return results.map((result) => (result as TicketView).ticketRef)
}

beforeAll(async () => {
  world = await createWorld()
  lottery = await makeLottery(world)
  drawId = (await openDrawOf(world, lottery)).id
  refs = await enterMany(lottery.slug, 41)
  const cancel =
    'mutation ($input: CancelLotteryTicketInput!) { cancelLotteryTicket(input: $input) { __typename } }'
  const ticket = await world.runtime.db.lotteryTicket.findFirstOrThrow({
    where: { ticketRef: refs[7] as string },
  })
  await world.graphql(cancel, { input: { lotteryTicketId: ticket.id } })
  const open = (await proofOf()).data
  expect(open).toMatchObject({
    status: 'OPEN',
    seed: null,
    root: null,
    tickets: null,
    ticketsUrl: null,
  })
  expect((await verify(open)).some(({ ok }) => !ok)).toBe(true)
  await execute()
  proof = (await proofOf()).data
  expect(proof.commitment).toBe(open.commitment)
})
afterAll(() => world.end())

const isGood = async (changed: object) => (await verify(changed as never)).every(({ ok }) => ok)

describe('the verifier', () => {
  it('accepts the proof of a draw', async () => {
    expect((await verify(proof)).filter(({ ok }) => !ok)).toEqual([])
    expect(proof.tickets).toHaveLength(42)
    expect(proof.ticketCount).toBe(41)
  })

  it('accepts the proof of each ticket, and identifies its holder', async () => {
    for (const [n, ref] of refs.entries()) {
      const { data } = await proofOf(`?ticketRef=${ref}`)
      expect(data.ticket.record.startsWith(`${ref} `)).toBe(true)
      expect(data.ticket.holder).toBe(n % 2 ? `secret-user-${n}` : `secret${n}@example.com`)
      const findings = await verify({ ...data, tickets: null })
      expect(findings.filter(({ ok }) => !ok)).toEqual([])
      expect(findings.some(({ text }) => text.includes(`belongs to ${data.ticket.holder}`))).toBe(
        true,
      )
    }
  })

  const other = (hex: string) => (hex[0] === '0' ? '1' : '0') + hex.slice(1)
  const swap = (record: string) => record.replace(/active$/, 'cancelled')
  const change: Record<string, (p: typeof proof) => object> = {
    'another seed': (p) => ({ seed: other(p.seed) }),
    'another seed with its own commitment': () => ({
      seed: 'ab'.repeat(32),
      commitment: hash('sha256', Buffer.from('ab'.repeat(32), 'hex')),
    }),
    'a changed ticket': (p) => ({ tickets: p.tickets.with(9, swap(p.tickets[9])) }),
    'a ticket with other numbers': (p) => ({
      tickets: p.tickets.with(
        3,
        p.tickets[3].replace(/ ([\d,+]+) active$/, (_: string, line: string) =>
          line === '1,2,3+1' ? ' 4,5,6+2 active' : ' 1,2,3+1 active',
        ),
      ),
    }),
    'an added ticket': (p) => ({ tickets: [...p.tickets, p.tickets[5]], ticketCount: 42 }),
    'a removed ticket': (p) => ({ tickets: p.tickets.toSpliced(4, 1), ticketCount: 40 }),
    'a removed last ticket': (p) => ({ tickets: p.tickets.slice(0, -1), ticketCount: 40 }),
    'tickets in another order': (p) => ({
      tickets: [p.tickets[0], p.tickets[2], p.tickets[1], ...p.tickets.slice(3)],
    }),
    'another count of tickets': () => ({ ticketCount: 40 }),
    'other main numbers': (p) => ({
      main: p.main.map((n: number) => (n % 10) + 1).sort((a: number, b: number) => a - b),
    }),
    'another bonus number': (p) => ({ bonus: [(p.bonus[0] % 3) + 1] }),
    'another root': (p) => ({ root: other(p.root) }),
    'other rules': (p) => ({
      rules: p.rules.replace('"potBaseCents":10000', '"potBaseCents":10001'),
    }),
    'another draw': () => ({ drawId: '00000000-0000-7000-8000-000000000000' }),
    'a larger pot': (p) => ({ potCents: p.potCents + 1 }),
    'a smaller payout': (p) => ({ payoutCents: p.payoutCents - 1 }),
    'another winner': (p) => ({
      tiers: p.tiers.map((t: { winners: number }) => ({ ...t, winners: t.winners + 1 })),
    }),
    'a seed that is missing': () => ({ seed: null }),
    'no list': () => ({ tickets: null }),
  }
  it.each(Object.entries(change))('refuses %s', async (_, changed) => {
    const differing = changed(structuredClone(proof))
    expect(await isGood({ ...proof, ...differing })).toBe(false)
  })

  it('refuses a ticket that is not in the list or belongs to another user', async () => {
    const { data } = await proofOf(`?ticketRef=${refs[20]}`)
    const { ticket } = data
    const alone = { ...data, tickets: null }
    expect(await isGood(alone)).toBe(true)
    for (const wrong of [
      { record: swap(ticket.record) },
      { position: ticket.position + 1 },
      { position: 1e9 },
      { position: 0.5 },
      { path: ticket.path.slice(1) },
      { path: [...ticket.path, ticket.path[0]] },
      { path: ticket.path.toReversed() },
      { holder: 'somebody else' },
      { salt: other(ticket.salt) },
    ])
      expect(
        await isGood({ ...alone, ticket: { ...ticket, ...wrong } }),
        JSON.stringify(wrong),
      ).toBe(false)
  })

  it('runs as a single downloaded file on a proof from the API', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tessera-proof-'))
    const [program, path] = [join(folder, 'verify-draw.ts'), join(folder, 'proof.json')]
    writeFileSync(program, (await world.get('/docs/verify-draw.ts')).text)
    const run = () =>
      promisify(execFile)(process.execPath, [program, path], { env: { PATH: process.env.PATH } })
    writeFileSync(path, JSON.stringify(await proofOf(`?ticketRef=${refs[1]}`)))
    expect((await run()).stdout).toContain('The proof holds.')
    writeFileSync(
      path,
      JSON.stringify({ ...proof, main: [1, 2, 3].map((n) => n + (proof.main[0] % 5)) }),
    )
    const failed = await run().catch((error) => error)
    expect(failed.code).toBe(1)
    expect(failed.stdout).toContain('does NOT hold')
  })

  it('accepts draws of all sizes near the boundaries of the tree and its stored nodes', async () => {
    for (const count of [0, 1, 2, 3, 7, 8, 1022, 1023, 1024, 2049]) {
      const large = await makeLottery(world)
      const { id } = await openDrawOf(world, large)
      const made = await enterMany(large.slug, count)
      await execute(id, large.slug)
      const ref = made[Math.floor(count / 2)]
      const { data } = await proofOf(ref ? `?ticketRef=${ref}` : '', id, large.slug)
      expect([data.status, data.ticketCount]).toEqual(['COMPLETED', count])
      expect((await verify(data)).filter(({ ok }) => !ok)).toEqual([])
    }
  })
})

describe('a proof', () => {
  it('contains no holder', async () => {
    expect(JSON.stringify(proof).toLowerCase()).not.toMatch(/secret|example\.com/)
    const { data } = await proofOf(`?ticketRef=${refs[2]}`)
    expect(JSON.stringify({ ...data, ticket: null }).toLowerCase()).not.toMatch(/secret|example/)
  })

  it('keeps the seed sealed until it is revealed', async () => {
    const item = await makeLottery(world)
    const { id } = await openDrawOf(world, item)
    const row = await world.runtime.db.lotteryDraw.findUniqueOrThrow({ where: { id } })
    expect(row.seed).toBeNull()
    await execute(id, item.slug)
    const { seed } = (await proofOf('', id, item.slug)).data
    const sealed = Buffer.from(row.sealedSeed as Uint8Array)
    expect(sealed.includes(Buffer.from(seed, 'hex')) || sealed.includes(seed)).toBe(false)
  })

  it('is visible to those who can see the lottery; that of a ticket to its partner', async () => {
    const other = await world.createPartner()
    const path = `/v1/lotteries/${lottery.slug}/draws/${drawId}/proof`
    expect((await world.get(path, other.test.secret)).body.message).toBe('Lottery not found')
    for (const ref of ['LX-2026-0101-AAAA', 'x', '%00', "'"])
      expect((await proofOf(`?ticketRef=${ref}`)).message).toBe('Ticket not found')
    expect((await proofOf('', '00000000-0000-7000-8000-000000000000')).message).toBe(
      'Draw not found',
    )
    expect((await proofOf('', 'x')).message).toBe('Draw not found')
  })
})
