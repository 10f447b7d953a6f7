/** The session of the console in a real browser, which decides itself where it sends the cookie. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMember, password } from '../console/browser.ts'
import { createWorld, type World } from '../world.ts'
import { launchBrowser } from './chromium.ts'

let world: World
let browser: Browser
let context: BrowserContext
/** A page of the server. */
let own: Page
/** Serves an empty page at any path. */
let other: Server
let member: Awaited<ReturnType<typeof createMember>>

beforeAll(async () => {
  world = await createWorld()
  member = await createMember(world)
  other = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Another page')
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  browser = await launchBrowser()
  context = await browser.newContext()
  own = await context.newPage()
  // The only page that does not redirect without a session.
  await own.goto(`${world.base}/console/sign-in`)
})
afterAll(async () => {
  await browser?.close()
  other?.close()
  await world?.end()
})

/** Sends a request from a page; returns the status and the body, or 0 and the error. */
const send = (page: Page, path: string, init: object): Promise<[number, string]> =>
  page.evaluate(
    async ([url, init]): Promise<[number, string]> => {
      try {
        const response = await fetch(url, init)
        return [response.status, await response.text()]
      } catch (error) {
        return [0, String(error)]
      }
    },
    [world.base + path, init] as const,
  )

const mark = { 'x-tessera-console': '1' }
const json = { 'content-type': 'application/json' }
const whoAmI = JSON.stringify({ query: '{ viewer { member { email } } }' })
const signOut = JSON.stringify({ query: 'mutation { signOut { __typename } }' })

const isSignedIn = async () => {
  const init = { method: 'POST', headers: { ...mark, ...json }, body: whoAmI }
  return (await send(own, '/graphql', init))[1].includes(member.email)
}

/** The answer to a query that a page sends over a WebSocket. */
const askBySocket = (page: Page): Promise<string> =>
  page.evaluate(
    ({ url, mark, query }) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(url, 'graphql-transport-ws')
        socket.onopen = () =>
          socket.send(JSON.stringify({ type: 'connection_init', payload: mark }))
        socket.onclose = ({ code }) => resolve(`closed with ${code}`)
        socket.onmessage = ({ data }) => {
          const { type } = JSON.parse(data)
          if (type === 'connection_ack')
            socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: JSON.parse(query) }))
          else resolve(data)
        }
      }),
    { url: `${world.base.replace('http', 'ws')}/graphql`, mark, query: whoAmI },
  )

test('a page of the server can sign in, and scripts cannot read the cookie', async () => {
  const body = JSON.stringify({ email: member.email, password })
  const init = { method: 'POST', headers: { ...mark, ...json }, body }
  expect((await send(own, '/console/session', init))[0]).toBe(200)
  expect(await own.evaluate('document.cookie')).toBe('')
  expect(await isSignedIn()).toBe(true)
  expect(await askBySocket(own)).toContain(member.email)
  const [cookie] = await context.cookies()
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
})

/** A page of another site, and one of the same site, to which the browser does send the cookie. */
test.each(['localhost', '127.0.0.1'])(
  'a page at %s with another port cannot use the cookie',
  async (host) => {
    const page = await context.newPage()
    const { port } = other.address() as AddressInfo
    const url = `http://${host}:${port}/`
    await page.goto(url)
    const credentials = { method: 'POST', credentials: 'include' } as const
    for (const path of ['/graphql', '/console/session'])
      for (const init of [
        { ...credentials, headers: json, body: signOut },
        { ...credentials, headers: { ...json, ...mark }, body: signOut },
        { ...credentials, headers: { 'content-type': 'text/plain' }, body: signOut },
        {
          ...credentials,
          mode: 'no-cors',
          headers: { 'content-type': 'text/plain' },
          body: signOut,
        },
        { method: 'DELETE', credentials: 'include', headers: mark },
      ]) {
        const [status] = await send(page, path, init)
        expect(status, `${path} ${JSON.stringify(init)}`).toBe(0)
      }
    expect(await isSignedIn()).toBe(true)
    expect(await askBySocket(page)).toContain('MISSING_API_KEY')
    for (const enctype of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ]) {
      await page.goto(url)
      await page.evaluate(
        ({ action, enctype }) => {
          const form = document.createElement('form')
          Object.assign(form, { method: 'POST', action, enctype })
          const input = document.createElement('input')
          Object.assign(input, {
            name: '{"query":"mutation{signOut{__typename}}","a":"',
            value: '"}',
          })
          form.append(input)
          document.body.append(form)
          form.submit()
        },
        { action: `${world.base}/graphql`, enctype },
      )
      await page.waitForURL(`${world.base}/graphql`)
      expect(await page.textContent('body'), enctype).toContain('UNSUPPORTED_MEDIA_TYPE')
    }
    expect(await isSignedIn()).toBe(true)
    expect(await world.runtime.db.signIn.count({ where: { memberId: member.id } })).toBe(1)
    await page.close()
  },
)
