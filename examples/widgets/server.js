/** The server of a page, here inside that of Vite. It keeps the secret key, and knows who is signed in. */
import { readKeys } from '../demo-keys.js'

const answer = async (path) => {
  const { TESSERA_URL: baseUrl = 'http://localhost:4000', SHOPPER: shopper = 'alice' } = process.env
  const keys = readKeys()
  if (!keys) throw new Error('There is no demo partner yet. Start Tessera: npm start')
  if (path === '/session') return { apiKey: keys.publicKey, baseUrl }
  // `shopper` is the signed-in user. A real server takes it from its session, never from the request.
  const response = await fetch(`${baseUrl}/v1/users/${shopper}/token`, {
    method: 'POST',
    headers: { 'X-API-Secret': keys.secretKey, 'Content-Type': 'application/json' },
    body: '{}',
  })
  const { data, message } = await response.json()
  if (!response.ok) throw new Error(message)
  return { token: data.token }
}

/** Answers `/session` and `/token`, in `vite` and in `vite preview`. */
export const ownServer = () => {
  const use = ({ middlewares, config }) => {
    middlewares.use(async ({ url }, response, next) => {
      if (url !== '/session' && url !== '/token') return next()
      response.setHeader('content-type', 'application/json')
      try {
        response.end(JSON.stringify(await answer(url)))
      } catch (error) {
        config.logger.error(`${url}: ${error.message}`)
        response.writeHead(500).end(JSON.stringify({ message: error.message }))
      }
    })
  }
  return { name: 'own-server', configureServer: use, configurePreviewServer: use }
}
