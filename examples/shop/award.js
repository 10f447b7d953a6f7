/** Awards and takes points with the secret key. Never in a browser: whoever has the key can award points. */
export const mountAward = (app, { url, secretKey, shopper }) => {
  const post = (path, body) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'X-API-Secret': secretKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })

  app.post('/buy', async ({ body: { orderId, product } }, reply) => {
    // … take the money …
    const answer = await post('/v1/points/award', {
      userId: shopper,
      eventType: 'purchase', // the reward rule of this name sets the points
      reference: orderId, // makes retries idempotent: an order earns its points once
      metadata: { product },
    })
    return reply.code(answer.status).send(await answer.json())
  })

  app.post('/spend', async ({ body: { orderId, product } }, reply) => {
    const answer = await post('/v1/points/spend', {
      userId: shopper,
      points: 100, // the price is set here, not by the page
      reference: orderId, // makes retries idempotent: an order is paid once
      reason: product,
    })
    // … 402 if the user has too few points; pack the parcel if it is 200 …
    return reply.code(answer.status).send(await answer.json())
  })

  // The widgets use a short-lived token of the user, so that nobody can play as somebody else.
  app.post('/token', async (_, reply) => {
    const answer = await post(`/v1/users/${shopper}/token`, {})
    return reply.code(answer.status).send((await answer.json()).data)
  })
}
