/** `npm run shop`: a small store, at http://localhost:3000, on the Tessera that `npm start` serves. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { readKeys } from '../demo-keys.js'
import { mountAward } from './award.js'
import { mountWebhook } from './webhook.js'

const { TESSERA_URL: url = 'http://localhost:4000', SHOP_PORT: port = '3000' } = process.env

const stop = (message) => {
  console.error(message)
  process.exit(1)
}

/** Forwards webhooks to this machine, which has no public address. Resolves with the secret that signs them. */
const listen = (secretKey) =>
  new Promise((resolve) => {
    const command = fileURLToPath(new URL('../../bin/tessera.js', import.meta.url))
    const args = ['webhooks', 'listen', '--server', url, '--forward', `localhost:${port}/hook`]
    const env = { ...process.env, TESSERA_SECRET_KEY: secretKey }
    const child = spawn(process.execPath, [command, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    process.on('exit', () => child.kill())
    // It has said why, such as a key that is not valid.
    child.on('exit', (code) => process.exit(code ?? 1))
    child.stdout.on('data', (text) => {
      process.stdout.write(text)
      const [secret] = /whsec_\S+/.exec(String(text)) ?? []
      if (secret) resolve(secret)
    })
  })

const answers = await fetch(`${url}/readyz`).catch(() => null)
if (!answers?.ok) stop(`Nothing answers at ${url}. Start Tessera in another terminal: npm start`)

const keys =
  readKeys() ?? stop('There is no demo partner yet. Start Tessera in another terminal: npm start')
// `shopper` is the signed-in user. A real store takes it from its session.
const shop = { url, ...keys, shopper: process.env.SHOPPER ?? 'sam' }
const app = Fastify()
mountAward(app, shop)
mountWebhook(app, await listen(shop.secretKey))

/** Allows only files of the store and of Tessera: the widgets need nothing else. */
const policy = `default-src 'none'; script-src 'self' ${url}; style-src 'self'; img-src 'self' ${url} data:; connect-src 'self' ${url} ${url.replace('http', 'ws')}`

const files = {
  '/': ['index.html', 'text/html'],
  '/shop.css': ['shop.css', 'text/css'],
  '/shop.js': ['shop.js', 'text/javascript'],
}
for (const [path, [file, type]] of Object.entries(files)) {
  const text = readFileSync(new URL(`page/${file}`, import.meta.url), 'utf8')
    .replaceAll('https://tessera.example.com', url)
    .replaceAll('pk_test_…', shop.publicKey)
    .replaceAll('user-id="sam"', `user-id="${shop.shopper}"`)
  app.get(path, (_, reply) =>
    reply
      .headers({ 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy })
      .send(text),
  )
}

await app.listen({ port: Number(port), host: 'localhost' }).catch(({ code, message }) => {
  const other = `SHOP_PORT=${Number(port) + 1} npm run shop`
  stop(
    code === 'EADDRINUSE'
      ? `Port ${port} is taken. Stop the other program, or choose another: ${other}`
      : message,
  )
})
console.log(`The shop is open at http://localhost:${port}. Ctrl-C closes it.\n`)
process.on('SIGINT', () => process.exit())
process.on('SIGTERM', () => process.exit())
