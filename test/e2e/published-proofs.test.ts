/** The pages that check proofs in a browser, against proofs that servers have published. */
import fastify, { type FastifyInstance } from 'fastify'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Proof } from '../../packages/verifier/draw.ts'
import { noBrand } from '../../src/accounts/brand.ts'
import { drawPage } from '../../src/pages/draw-page-view.ts'
import { servePageFile } from '../../src/pages/page-file.ts'
import { mountPlayCheck } from '../../src/pages/play-check-page.ts'
import { publishedDraws, publishedPlays } from '../verifier/published.ts'
import { launchBrowser, patienceMs } from './chromium.ts'

const pageOf = ({ drawId, ticketCount, commitment, root, seed, ...drawn }: Proof) => {
  const pot = { amountCents: 0, currency: 'EUR' }
  const moment = new Date(0).toISOString()
  return drawPage({
    ...{ uuid: drawId, lotteryName: 'Published', number: 1, environment: 'LIVE', settledRate: 1 },
    ...{ opensAt: moment, closesAt: moment, drawsAt: moment, drawnAt: moment, finalRules: {} },
    ...{ ticketCount, listedCount: ticketCount, commitment, root, seed },
    ...{ mainNumbers: drawn.main, bonusNumbers: drawn.bonus },
    ...{ status: 'COMPLETED', rules: { jackpot: null, tiers: [] }, pot, payout: pot },
    ...{ tiers: [], partnerName: null, timeZone: 'UTC', brand: noBrand },
  })
}

let app: FastifyInstance
let base: string
let browser: Browser

/** The pages without a database: everything that they check is in the proofs. */
beforeAll(async () => {
  app = fastify()
  mountPlayCheck(app)
  servePageFile(app, '/draws/check.js', '../generated/verifier/draw-check.js')
  for (const { proof } of publishedDraws) {
    app.get(`/draws/${proof.drawId}`, (_, reply) => reply.type('text/html').send(pageOf(proof)))
    app.get(`/draws/${proof.drawId}/tickets/:ref`, () => proof)
  }
  base = await app.listen({ host: '127.0.0.1', port: 0 })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await app?.close()
})

const open = async (): Promise<Page> => {
  const page = await browser.newPage()
  page.setDefaultTimeout(patienceMs)
  return page
}

test('the page of plays accepts every one', async () => {
  const page = await open()
  await page.goto(`${base}/plays/check`)
  for (const { name, proof } of publishedPlays) {
    await page.locator('#outcome').evaluate('(outcome) => outcome.replaceChildren()')
    await page.getByLabel('Paste the proof').fill(JSON.stringify(proof))
    await page.getByRole('button', { name: 'Check' }).click()
    expect(await page.locator('#outcome .result').textContent(), name).toBe(
      'This play was drawn as promised.',
    )
  }
  await page.close()
})

const tickets = publishedDraws.filter(({ proof }) => proof.ticket)

test.each(tickets)('the page of a draw accepts the ticket of $name', async ({ proof }) => {
  const { drawId, ticket } = proof
  const page = await open()
  await page.goto(`${base}/draws/${drawId}`)
  await page.getByText('Is it mine?').click()
  await page.getByLabel('Ticket reference').fill(String(ticket?.record.split(' ')[0]))
  await page.getByLabel('User id or e-mail').fill(String(ticket?.holder))
  await page.getByLabel('Salt').fill(String(ticket?.salt))
  await page.getByRole('button', { name: 'Check' }).click()
  await page.locator('#outcome li').first().waitFor()
  expect(await page.locator('#outcome li').allTextContents()).toEqual([
    expect.stringContaining('It is in the sealed list, as number'),
    'It is yours.',
    'The seed is the one that was promised before the first ticket.',
    'The numbers follow from the seed and the tickets.',
  ])
  await page.close()
})
