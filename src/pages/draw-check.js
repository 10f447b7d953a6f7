/**
 * Checks a ticket in the browser, from the values on the page and in the list; docs/verify-a-draw.md
 * describes the same in words. It calculates everything that it can instead of trusting the page.
 */
const encoder = new TextEncoder()
const toHex = (bytes) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const fromHex = (text) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const join = (...parts) => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
const hashOfText = async (text) => toHex(await sha256(encoder.encode(text)))
const leaf = (record) => sha256(join(Uint8Array.of(0), encoder.encode(record)))
const node = (left, right) => sha256(join(Uint8Array.of(1), left, right))

/** The Merkle root calculated from a line of the list, its position, and the sibling hashes on its path. */
const rootFromPath = async (record, position, size, path) => {
  let hash = await leaf(record)
  let [index, last] = [position, size - 1]
  if (position > last) return ''
  for (const text of path) {
    const beside = fromHex(text)
    if (last === 0) return ''
    if (index % 2 === 1 || index === last) {
      hash = await node(beside, hash)
      while (index % 2 === 0 && index !== 0) [index, last] = [index >> 1, last >> 1]
    } else hash = await node(hash, beside)
    ;[index, last] = [index >> 1, last >> 1]
  }
  return last === 0 ? toHex(hash) : ''
}

/** Numbers of one kind, drawn from seed and root. */
const draw = async ({ count, min, max }, seed, root, kind) => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', fromHex(seed), algorithm, false, ['sign'])
  const words = []
  let counter = 0
  const balls = Array.from({ length: max - min + 1 }, (_, i) => min + i)
  const drawn = []
  while (drawn.length < count) {
    if (words.length === 0) {
      const text = `tessera-numbers-v1\n${root}\n${kind}\n${counter++}`
      const block = new DataView(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
      for (let i = 0; i < 32; i += 4) words.push(block.getUint32(i))
    }
    const word = words.shift()
    if (word < Math.floor(2 ** 32 / balls.length) * balls.length)
      drawn.push(...balls.splice(word % balls.length, 1))
  }
  return drawn.sort((a, b) => a - b)
}

const parse = (record) => {
  const [, , , lines = '', state] = record.split(' ')
  return {
    isActive: state === 'active',
    lines: lines.split(';').map((line) => {
      const [main = '', bonus] = line.split('+')
      return { main: main.split(',').map(Number), bonus: bonus ? bonus.split(',').map(Number) : [] }
    }),
  }
}

const element = (name, className, ...children) => {
  const made = document.createElement(name)
  if (className) made.className = className
  made.append(...children)
  return made
}

const numbers = (list, drawn) =>
  list.flatMap((number) => [
    drawn.includes(number) ? element('span', 'hit', String(number)) : String(number),
    ' ',
  ])

/** The result of a check: findings, and the lines of the ticket with what they won. */
const check = async (proof, ask) => {
  const { ticket } = proof
  const findings = []
  const find = (isGood, good, bad) => findings.push({ isGood, text: isGood ? good : bad })
  const place = await rootFromPath(
    ticket.record,
    ticket.position,
    proof.ticketCount + 1,
    ticket.path,
  )
  find(
    place === proof.root && ticket.record.startsWith(`${ask.ref} `),
    `It is in the sealed list, at place ${ticket.position.toLocaleString('en')} of ${proof.ticketCount.toLocaleString('en')}.`,
    'It is NOT in the sealed list.',
  )
  if (ask.holder && ask.salt) {
    const holder = await hashOfText(`tessera-holder-v1\n${ask.salt}\n${ask.holder}`)
    const lower = await hashOfText(`tessera-holder-v1\n${ask.salt}\n${ask.holder.toLowerCase()}`)
    const inList = ticket.record.split(' ')[2]
    find(
      holder === inList || lower === inList,
      'It is yours.',
      'It is NOT yours, or the salt is another.',
    )
  }
  const { isActive, lines } = parse(ticket.record)
  if (!proof.seed) return { findings, isActive, isDrawn: false, lines: [] }
  const rules = JSON.parse(proof.rules)
  find(
    toHex(await sha256(fromHex(proof.seed))) === proof.commitment,
    'The seed is the one that was promised before the first ticket.',
    'The seed is NOT the one that was promised.',
  )
  const main = await draw(rules.main, proof.seed, proof.root, 'main')
  const bonus = rules.bonus ? await draw(rules.bonus, proof.seed, proof.root, 'bonus') : []
  const shown = [...document.querySelectorAll('.ball')].map((ball) => ball.lastChild.textContent)
  find(
    String([...main, ...bonus]) === String(shown),
    'The numbers follow from the seed and the tickets.',
    'The numbers on this page do NOT follow from the seed and the tickets.',
  )
  const count = (list, drawn) => list.filter((number) => drawn.includes(number)).length
  return {
    findings,
    isActive,
    isDrawn: true,
    lines: lines.map((line) => {
      const [m, b] = [count(line.main, main), count(line.bonus, bonus)]
      const tier = rules.tiers.find((one) => m >= one.main && b >= one.bonus)
      const text = element('div', '', ...numbers(line.main, main))
      if (line.bonus.length > 0) text.append('+ ', ...numbers(line.bonus, bonus))
      text.append(`— ${tier?.name ?? 'no prize'}`)
      return { hasWon: tier !== undefined, text }
    }),
  }
}

const headline = ({ findings, isActive, isDrawn, lines }) => {
  if (findings.some(({ isGood }) => !isGood))
    return 'Something is wrong with this ticket or this draw.'
  if (!isActive) return 'This ticket was cancelled before the draw closed.'
  if (!isDrawn) return 'This ticket takes part.'
  return lines.some(({ hasWon }) => hasWon) ? 'This ticket has won.' : 'This ticket has not won.'
}

const form = document.querySelector('form[data-draw]')
const outcome = document.querySelector('#outcome')

const run = async () => {
  const textOf = (id) => document.getElementById(id).value.trim()
  const ref = textOf('ticket').toUpperCase()
  const ask = { ref, holder: textOf('holder'), salt: textOf('salt').toLowerCase() }
  const say = (text) => outcome.replaceChildren(element('p', 'result bad', text))
  try {
    const answer = await fetch(`/draws/${form.dataset.draw}/tickets/${encodeURIComponent(ref)}`)
    if (answer.status === 404) return say('This draw has no ticket of that reference.')
    if (!answer.ok) return say('The server did not answer. Try again in a moment.')
    const proof = await answer.json()
    // The values on the page count, not those that came with the ticket.
    const published = [...document.querySelectorAll('.steps code')].map((code) => code.textContent)
    if (
      ![proof.commitment, proof.root, proof.seed].every(
        (value, i) => (value ?? undefined) === published[i],
      )
    )
      return say('The draw has gone on since this page was loaded. Load it again.')
    const checked = await check(proof, ask)
    const isBad = checked.findings.some(({ isGood }) => !isGood)
    outcome.replaceChildren(
      element('p', isBad ? 'result bad' : 'result', headline(checked)),
      element('div', 'lines', ...checked.lines.map(({ text }) => text)),
      element(
        'ul',
        '',
        ...checked.findings.map(({ isGood, text }) => element('li', isGood ? '' : 'bad', text)),
      ),
    )
  } catch {
    say('Your browser could not check the ticket here. Use the proof and the command below.')
  }
}

if (form) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void run()
  })
  if (document.getElementById('ticket').value) void run()
}
