/** Invitations by mail: sent after the change, again when the server fails, and never twice with a link that works. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { sendMail } from '../../src/accounts/mail.jobs.ts'
import { retentionJobs } from '../../src/retention-rules.ts'
import { createWorld, type World } from '../world.ts'
import { openMailbox, tokensOf } from './mailbox.ts'

let now = Date.now()
let world: World
let mailbox: Awaited<ReturnType<typeof openMailbox>>
let owner: string
const mail = { smtpUrl: '', from: 'Tessera <no-reply@example.com>' }

beforeAll(async () => {
  mailbox = await openMailbox()
  mail.smtpUrl = mailbox.url
  world = await createWorld({ clock: () => new Date(now), config: { mail } })
  owner = await world.signInAs('OWNER')
})
afterEach(() => {
  mailbox.refuse(undefined)
  mailbox.mails.length = 0
  mail.smtpUrl = mailbox.url
})
afterAll(async () => {
  await world.end()
  await mailbox.close()
})

const minutes = (n: number) => {
  now += n * 60_000
}
const address = () => `${randomUUID()}@example.com`
const run = () => sendMail(world.runtime)
const waiting = (recipient: string) => world.runtime.db.mail.findFirst({ where: { recipient } })

const send = async (
  name: string,
  fields: string,
  input: object,
  by: object = { bearer: owner },
) => {
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const document = `mutation ($input: ${Name}Input!) { ${name}(input: $input) {
    ... on ${Name}Payload { ${fields} } ... on Error { code } } }`
  const { body } = await world.graphql(document, { input }, by)
  return body.data?.[name] ?? { code: body.errors[0].extensions.code }
}

const invite = (email: string) =>
  send('inviteMember', 'link invitation { uuid }', { email, role: 'EDITOR' })
const accept = (token = '') =>
  send('acceptInvitation', 'member { email }', { token, password: 'a password of my own' }, {})

test('an invitation is sent, and its link works', async () => {
  const email = address()
  expect((await invite(email)).link).toBeNull()
  expect(mailbox.mails).toEqual([])
  await run()
  await run()
  const [sent, ...more] = mailbox.mails
  expect(more).toEqual([])
  expect(sent).toMatchObject({ to: [email], from: 'no-reply@example.com' })
  const { partnerId } = world.partner
  const { name } = await world.runtime.db.partner.findUniqueOrThrow({ where: { id: partnerId } })
  expect(sent?.raw).toMatch(new RegExp(`^Subject: Invitation to ${name}\r$`, 'm'))
  expect(sent?.text).toContain(`${world.runtime.config.publicUrl}/console/invitation#token=`)
  expect(sent?.text).toContain('EDITOR')
  expect(await waiting(email)).toBeNull()
  expect(await accept(tokensOf(mailbox.mails)[0])).toEqual({ member: { email } })
})

test('while a mail is queued, the database contains nothing that opens the link', async () => {
  const email = address()
  await invite(email)
  const rows = { mail: await waiting(email), email }
  await run()
  const [token = ''] = tokensOf(mailbox.mails)
  expect(token).toHaveLength(43)
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('a mail that is refused temporarily is retried with growing delays, and arrives once', async () => {
  const warn = vi.spyOn(world.runtime.log, 'warn')
  const email = address()
  await invite(email)
  mailbox.refuse(451)
  await run()
  expect(await waiting(email)).toMatchObject({ tries: 1, dueAt: new Date(now + 60_000) })
  await run()
  expect(await waiting(email)).toMatchObject({ tries: 1 })
  minutes(1)
  await run()
  expect(await waiting(email)).toMatchObject({ tries: 2, dueAt: new Date(now + 120_000) })
  mailbox.refuse(undefined)
  await run()
  expect(mailbox.mails).toEqual([])
  minutes(2)
  await run()
  await run()
  expect(mailbox.mails).toHaveLength(1)
  expect(warn).toHaveBeenCalledTimes(2)
  expect(JSON.stringify(warn.mock.calls)).not.toMatch(new RegExp(`token|${email}`))
  expect(await accept(tokensOf(mailbox.mails)[0])).toEqual({ member: { email } })
})

test('a mail to an address that the server refuses permanently is not retried', async () => {
  const email = address()
  await invite(email)
  mailbox.refuse(550)
  await run()
  expect(await waiting(email)).toBeNull()
})

test('an unreachable server delays nothing else, and the mail is dropped when its link has expired', async () => {
  mail.smtpUrl = 'smtp://127.0.0.1:1'
  const email = address()
  await invite(email)
  await run()
  expect(await waiting(email)).toMatchObject({ tries: 1 })
  minutes(7 * 24 * 60)
  await run()
  expect(await waiting(email)).toMatchObject({ tries: 1 })
  for (const job of retentionJobs) await job.run(world.runtime)
  expect(await waiting(email)).toBeNull()
  owner = await world.signInAs('OWNER')
})

test('a mail is dropped after twelve attempts', async () => {
  const email = address()
  await invite(email)
  await world.runtime.db.mail.updateMany({ where: { recipient: email }, data: { tries: 11 } })
  mailbox.refuse(451)
  await run()
  expect(await waiting(email)).toBeNull()
})

test('inviting again while the mail is queued sends one mail; after it was sent, the previous link is replaced', async () => {
  const email = address()
  await invite(email)
  await invite(email)
  await run()
  expect(mailbox.mails).toHaveLength(1)
  await invite(email)
  await run()
  const [first, second] = tokensOf(mailbox.mails)
  expect(await accept(first)).toEqual({ code: 'INVALID_INVITATION' })
  expect(await accept(second)).toEqual({ member: { email } })
})

test('an invitation that was revoked before it was sent is not sent', async () => {
  const email = address()
  const { invitation } = await invite(email)
  await send('revokeInvitation', 'invitation { uuid }', { invitationId: invitation.uuid })
  await run()
  expect(mailbox.mails).toEqual([])
  expect(await waiting(email)).toBeNull()
})

test('an address gets at most five invitations per hour', async () => {
  const email = address()
  for (let i = 0; i < 5; i++) expect((await invite(email)).link).toBeNull()
  expect(await invite(email)).toEqual({ code: 'RATE_LIMITED' })
  minutes(60)
  owner = await world.signInAs('OWNER')
  expect((await invite(email)).link).toBeNull()
})
