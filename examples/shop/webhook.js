/** Receives webhooks. Tessera signs them, and retries until the store has acknowledged them. */
import { tesseraWebhooks } from '../../packages/webhooks/src/fastify.ts' // in your project: '@tessera/webhooks/fastify'

const words = {
  'points.awarded': ({ userId, pointsAwarded }) => `${userId} has earned ${pointsAwarded} points`,
  'points.spent': ({ userId, pointsSpent }) => `${userId} has spent ${pointsSpent} points`,
  'game.played': ({ userId, reward }) => `${userId} has played and got: ${reward.label}`,
}

export const mountWebhook = (app, secret) => {
  const heard = new Map()
  app.register(tesseraWebhooks, {
    path: '/hook',
    secret,
    onEvent: ({ id, event, data, timestamp }) => {
      // An event can be delivered twice. Its id is the same.
      if (words[event]) heard.set(id, { event, text: words[event](data), at: timestamp })
    },
  })
  app.get('/heard', () => [...heard.values()].slice(-6).reverse())
}
