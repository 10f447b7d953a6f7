const config = document.querySelector('tessera-config')
const said = document.querySelector('#said')

// The widgets use a token that the store's server requests for the signed-in user.
config.tokenProvider = async () => (await (await fetch('/token', { method: 'POST' })).json()).token

/** Sends an order to the store's server. `thanks` is what the page then says. */
const order = async (path, product, thanks) => {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ orderId: crypto.randomUUID(), product }),
  })
  const { data, message } = await response.json()
  said.textContent = response.ok ? thanks(data) : `That did not work: ${message}`
  for (const widget of document.querySelectorAll(
    'tessera-balance, tessera-wheel, tessera-leaderboard',
  ))
    widget.reload?.()
}

const buy = (product) =>
  order(
    '/buy',
    product,
    ({ pointsAwarded }) => `Thank you for ${product}. You have earned ${pointsAwarded} points.`,
  )
const get = (product) =>
  order(
    '/spend',
    product,
    ({ userBalance }) => `The ${product} is yours. You have ${userBalance} points left.`,
  )

for (const button of document.querySelectorAll('[data-product]'))
  button.addEventListener('click', () => buy(button.dataset.product))
for (const button of document.querySelectorAll('[data-reward]'))
  button.addEventListener('click', () => get(button.dataset.reward))

document.addEventListener('tessera-play', ({ detail: { play } }) => {
  said.textContent = `The wheel says: ${play.reward.label}.`
})

/** Polls the webhooks that the store's server received. */
const listen = async () => {
  const heard = await (await fetch('/heard').catch(() => null))?.json().catch(() => [])
  const items = (heard ?? []).map(({ event, text, at }) => {
    const item = document.createElement('li')
    const name = document.createElement('code')
    name.textContent = event
    item.append(name, ` ${text} `, new Date(at).toLocaleTimeString('en'))
    return item
  })
  if (items.length > 0) document.querySelector('#heard').replaceChildren(...items)
  setTimeout(listen, 1_000)
}
listen()
