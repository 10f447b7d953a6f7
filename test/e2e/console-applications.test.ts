/** Applications in the console: their settings apply to their keys. */
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applicationsTexts as texts } from '../../console/texts/applications-texts.ts'
import { texts as shell } from '../../console/texts/shell-texts.ts'
import { tokenCalls } from '../accounts/user-token-calls.ts'
import { type Console, chooseAction, createConsole, press, type Visit } from './console-visit.ts'

let visits: Console
let visit: Visit
let calls: ReturnType<typeof tokenCalls>
beforeAll(async () => {
  visits = await createConsole()
  calls = tokenCalls(visits.world)
  await visits.world.givePoints('ann', 1)
  const { applicationId: id } = visits.world.partner
  await visits.world.runtime.db.application.update({ where: { id }, data: { name: 'Shop' } })
  visit = await visits.visit('live/applications')
})
afterAll(() => visits?.end())

/** The status of a request that names a user with a new public key, with or without a token. */
const statusOf = async (token?: string) =>
  (await calls.balance('ann', await calls.freshKey(), token)).status

const stored = () =>
  visits.world.runtime.db.application.findUniqueOrThrow({
    where: { id: visits.world.partner.applicationId },
  })

const edit = async () => {
  await chooseAction(visit.row('Shop'), texts.edit)
  return visit.dialog(texts.editTitle('Shop'))
}

const choose = (label: string) =>
  visit.dialog().getByRole('radio', { name: label, exact: true }).check({ force: true })

test('an application is created by its name', async () => {
  await visit.button(texts.create).click()
  await visit.dialog().getByLabel(texts.name).fill('Mobile app')
  await visit.picture('application-create')
  await press(visit.dialog(), texts.create)
  await visit.said(texts.createdDone)
  await visit.row('Mobile app').getByText('Active', { exact: true }).waitFor()
  await visit.picture('applications')
})

test('an application requires user tokens, and what was changed meanwhile stays', async () => {
  expect(await statusOf()).toBe(200)
  await edit()
  await choose(texts.userTokensChoices.REQUIRED.label)
  await visit.picture('application-edit')
  const { applicationId: id } = visits.world.partner
  await visits.world.runtime.db.application.update({
    where: { id },
    data: { publicProfiles: 'MASKED' },
  })
  await press(visit.dialog(), shell.save)
  await visit.said(texts.saved)
  await visit.row('Shop').getByText(texts.userTokensChoices.REQUIRED.label).waitFor()
  expect(await stored()).toMatchObject({ userTokens: 'REQUIRED', publicProfiles: 'MASKED' })
  expect(await statusOf()).toBe(401)
})

test('keys of a signer are checked at their field, and sign user tokens once they are saved', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const jwks = (key: typeof publicKey) =>
    JSON.stringify({ keys: [{ ...key.export({ format: 'jwk' }), kid: 'one' }] })
  const token = await calls.sign(privateKey, { alg: 'EdDSA', kid: 'one' })
  expect(await statusOf(token)).toBe(401)
  const form = await edit()
  await choose(texts.signerChoices.KEYS.label)
  const keys = form.getByRole('textbox', { name: texts.keys })
  await keys.fill('no keys')
  await press(form, shell.save)
  await form.getByText(texts.notJson).waitFor()
  await keys.fill(jwks(privateKey))
  await press(form, shell.save)
  await form.getByText(/must not contain a secret or private key/i).waitFor()
  expect(await form.getByText(shell.errorTitle).count()).toBe(0)
  await visit.picture('application-keys')
  await keys.fill(jwks(publicKey))
  await press(form, shell.save)
  await visit.said(texts.saved)
  await visit.row('Shop').getByText(texts.signerNames.KEYS).waitFor()
  expect(await statusOf(token)).toBe(200)
})

test('an address that is not public is refused at its field, and keys are removed', async () => {
  const form = await edit()
  await choose(texts.signerChoices.ADDRESS.label)
  const address = form.getByLabel(texts.address)
  await address.fill('https://127.0.0.1/jwks.json')
  await press(form, shell.save)
  await form.locator('[aria-invalid=true]').waitFor()
  expect(await form.getByText(shell.errorTitle).count()).toBe(0)
  expect(await stored()).toMatchObject({ userTokenJwksUrl: null })
  await choose(texts.signerChoices.TESSERA.label)
  await choose(texts.userTokensChoices.OPTIONAL.label)
  await press(form, shell.save)
  await visit.said(texts.saved)
  expect(await stored()).toMatchObject({ userTokenKeys: null, userTokens: 'OPTIONAL' })
})

test('the keys of an application are refused while it is inactive', async () => {
  await chooseAction(visit.row('Shop'), texts.deactivate)
  const confirm = visit.dialog().getByRole('button', { name: texts.deactivate })
  expect(await confirm.isDisabled()).toBe(true)
  await visit.dialog().getByRole('textbox').fill('Shop')
  await confirm.click()
  await visit.said(texts.deactivated)
  expect(await statusOf()).toBe(403)
  await chooseAction(visit.row('Shop'), texts.activate)
  await visit.said(texts.activated)
  expect(await statusOf()).toBe(200)
  expect(visit.faults).toEqual([])
})
