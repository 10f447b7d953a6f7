import { afterAll, beforeAll, expect, it } from 'vitest'
import { verify } from '../../packages/verifier/verify-draw.ts'
import type { Lottery } from '../../src/generated/prisma/client.ts'
import { runDraw } from '../../src/lotteries/run-draw.ts'
import { enterLotteries } from '../../src/lotteries/ticket.ts'
import { type Answer, createWorld, type World } from '../world.ts'
import { makeLottery, openDrawOf } from './lottery.ts'

let world: World
let lottery: Lottery
let drawId: string
beforeAll(async () => {
  world = await createWorld()
  lottery = await makeLottery(world)
  drawId = (await openDrawOf(world, lottery)).id
})
afterAll(() => world.end())

it('before closing shows the commitment and no ticket', async () => {
  const page = await world.get(`/draws/${drawId}`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/default-src 'none'/)
  expect(policy).not.toMatch(/unsafe|\*|https?:/)
  expect(page.text).not.toMatch(/<script(?! src="\/draws\/)|<style|\son\w+=|style=/)
  expect(page.text).toMatch(
    /Not proved[\s\S]*That nobody knew the seed early[\s\S]*published in time/,
  )
  const proof = (await world.get(`/draws/${drawId}/proof.json`)).body
  expect(page.text).toContain(proof.commitment)
  expect(page.text).toMatch(/<dt>Pot<\/dt><dd>\$[\d,]+\.\d\d<\/dd>/)
  expect([proof.root, proof.seed, proof.tickets]).toEqual([null, null, null])
  expect((await world.get(`/draws/${drawId}/tickets.txt`)).status).toBe(404)
})

it('after a draw of more than 10,000 tickets offers proof and list as two files that match', async () => {
  const entries = Array.from({ length: 10_500 }, (_, n) => ({
    ...world.tenant,
    email: `holder${n}@example.com`,
    lotterySlug: lottery.slug,
  }))
  for (let i = 0; i < entries.length; i += 1_500)
    await enterLotteries(world.runtime, entries.slice(i, i + 1_500))
  await runDraw(world.runtime, drawId, { early: true })
  const proof = (await world.get(`/draws/${drawId}/proof.json`)).body
  expect([proof.status, proof.ticketCount, proof.tickets]).toEqual(['COMPLETED', 10_500, null])
  const list = await world.get(`/draws/${drawId}/tickets.txt`)
  expect(list.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(list.text).not.toMatch(/holder\d|example/)
  const lines = list.text.trimEnd().split('\n')
  expect(lines).toHaveLength(10_501)
  expect((await verify(proof, lines)).filter(({ ok }) => !ok)).toEqual([])
  expect((await verify(proof, lines.slice(0, -1))).every(({ ok }) => ok)).toBe(false)
  const [ref] = lines[10_241]?.split(' ') ?? []
  const { body } = await world.get(`/draws/${drawId}/tickets/${ref}`)
  expect(Object.keys(body.ticket)).toEqual(['record', 'position', 'path'])
  expect((await verify(body, null)).filter(({ ok }) => !ok)).toEqual([])
})

it('builds proof and list once, and sends them only to clients without a current copy', async () => {
  const files = [`/draws/${drawId}/proof.json`, `/draws/${drawId}/tickets.txt`]
  const first = await Promise.all(files.map((file) => world.get(file)))
  // The tickets are not read again.
  await world.runtime.db.$executeRaw`UPDATE lottery_ticket SET ticket_no = -ticket_no
    WHERE draw_id = ${drawId}::uuid`
  for (const [i, file] of files.entries()) {
    const { text, headers } = first[i] as Answer
    expect((await world.get(file)).text).toBe(text)
    const known = { 'if-none-match': headers.get('etag') as string }
    const answer = await world.get(file, undefined, known)
    expect([answer.status, answer.text]).toEqual([304, ''])
  }
  await world.runtime.db.$executeRaw`UPDATE lottery_ticket SET ticket_no = -ticket_no
    WHERE draw_id = ${drawId}::uuid`
})

it('of an unknown draw or a draft is a 404', async () => {
  const draft = await makeLottery(world, { isDraft: true })
  const { id } = await world.runtime.db.lotteryDraw.create({
    data: {
      id: '00000000-0000-7000-8000-00000000000d',
      lotteryId: draft.id,
      partnerId: world.partner.partnerId,
      environment: 'TEST',
      drawNo: 1,
      status: 'SCHEDULED',
      opensAt: new Date(0),
      closesAt: new Date(1),
      drawsAt: new Date(1),
    },
  })
  for (const wrong of [
    id,
    'x',
    '%00',
    '00000000-0000-7000-8000-000000000000',
    "'",
    'x'.repeat(400),
  ])
    for (const file of ['', '/proof.json', '/tickets.txt', '/tickets/LX-2026-0101-AAAA'])
      expect((await world.get(`/draws/${wrong}${file}`)).status, wrong + file).toBe(404)
  for (const ref of ['x', '%00', "'", '..%2f'])
    expect((await world.get(`/draws/${drawId}/tickets/${ref}`)).status).toBe(404)
  for (const query of ['?ticket[]=1', '?ticket=%00', '?ticket=a&ticket=b'])
    expect((await world.get(`/draws/${drawId}${query}`)).status).toBe(200)
  expect((await world.get(`/draws/${drawId}?ticket=%ED%A0%80`)).status).toBe(400)
})
