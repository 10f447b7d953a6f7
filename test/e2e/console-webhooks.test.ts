/** Webhook endpoints in the console, with a server that receives what they send. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { texts as shell } from '../../console/texts/shell-texts.ts'
import { webhooksTexts as texts } from '../../console/texts/webhooks-texts.ts'
import { createReceiver, type Receiver, signatureOf } from '../webhooks/receiver.ts'
import { type Console, createConsole, press, type Visit } from './console-visit.ts'

let visits: Console
let receiver: Receiver
let visit: Visit
let page: Page
/** What the receiver answers. */
let status = 200
beforeAll(async () => {
  visits = await createConsole({
    jobs: true,
    webhookAllowPrivate: true,
    webhookRetrySeconds: [0, 3600],
  })
  receiver = await createReceiver(() => ({ status, body: `answered ${status}` }))
  visit = await visits.visit('test/webhooks')
  page = visit.page
})
afterAll(async () => {
  await visits?.end()
  await receiver?.end()
})

const secretIn = async (title: string) => {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  const secret = (await dialog.locator('code, pre').first().textContent()) ?? ''
  await press(dialog, shell.done)
  await dialog.waitFor({ state: 'detached' })
  return secret
}

const drawer = () => page.getByRole('dialog', { name: texts.delivery })
const closeDrawer = async () => {
  await page.keyboard.press('Escape')
  await drawer().waitFor({ state: 'detached' })
}

let secret = ''

test('an endpoint is added, and an invalid address is reported at its field', async () => {
  await page.getByRole('button', { name: texts.create }).first().click()
  const dialog = visit.dialog()
  await dialog.getByLabel(texts.url).fill('ftp://example.com/')
  await press(dialog, texts.create)
  await dialog.locator('[aria-invalid=true]').first().waitFor()
  await dialog.getByLabel(texts.url).fill(receiver.url)
  await press(dialog, texts.create)
  secret = await secretIn(texts.createdTitle)
  await page.getByRole('link', { name: receiver.url }).click()
  await page.waitForURL(/webhooks\/./)
})

test('a test event is sent, and its delivery shows the request and the answer', async () => {
  await press(page, texts.sendTest)
  await drawer().getByText('Delivered').waitFor()
  await drawer().getByText('answered 200').waitFor()
  const [sent] = receiver.received
  expect(sent?.headers['x-webhook-signature']).toBe(signatureOf(secret, sent?.text ?? ''))
  expect(page.url()).toContain('delivery=')
  await closeDrawer()
})

test('a failed delivery is resent by hand', async () => {
  status = 500
  await visits.world.givePoints('alice', 1)
  await receiver.until(2)
  await page.reload()
  await page.getByRole('button', { name: texts.detailsOf('points.awarded') }).click()
  await drawer().getByText('answered 500').waitFor()
  status = 200
  await press(drawer(), texts.retry)
  await visit.said(texts.retried)
  await drawer().getByText('Delivered').waitFor()
  expect(await receiver.until(3)).toHaveLength(3)
  await closeDrawer()
})

test('events of a period are resent', async () => {
  await press(page, texts.replay)
  await press(visit.dialog(), texts.replay)
  await visit.said(texts.replayed('1'))
  expect((await receiver.until(4)).at(-1)?.body.event).toBe('points.awarded')
})

test('the endpoint is edited, its secret changed, and deliveries are stopped and resumed', async () => {
  await press(page, texts.edit)
  await visit.dialog().getByLabel(texts.note).fill('The shop')
  await press(visit.dialog(), shell.save)
  await visit.said(texts.saved)
  await page.getByText('The shop').waitFor()
  await press(page, texts.rotate)
  await press(visit.dialog(), texts.rotate)
  expect(await secretIn(texts.rotatedTitle)).not.toBe(secret)
  await press(page, texts.disable)
  await press(visit.dialog(), texts.disable)
  await visit.said(texts.disabledDone)
  expect(await page.getByRole('button', { name: texts.sendTest }).count()).toBe(0)
  await press(page, texts.enable)
  await visit.said(texts.enabled)
})

test('deleting an endpoint leads back to the empty list', async () => {
  await page.evaluate(`{
    globalThis.wasMissed = false
    new MutationObserver(() => {
      globalThis.wasMissed ||= document.body.innerText.includes(${JSON.stringify(texts.noSuchEndpoint)})
    }).observe(document.body, { childList: true, subtree: true })
  }`)
  await press(page, texts.delete)
  await press(visit.dialog(), texts.delete)
  await visit.said(texts.deleted)
  await page.getByText(texts.empty).waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/test/webhooks')
  // The page of the endpoint never says that there is no such endpoint.
  expect(await page.evaluate('globalThis.wasMissed')).toBe(false)
  const { world } = visits
  expect((await world.get('/v1/webhooks', world.keys.secret)).body.data).toEqual([])
  expect(visit.faults.filter((fault) => !/400/.test(fault))).toEqual([])
})
