/**
 * Checks a play in the browser, from its proof alone; docs/fair-plays.md describes the same in words. It asks no server
 * and believes nothing that it can calculate.
 */
const encoder = new TextEncoder()
const toHex = (bytes) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const fromHex = (text) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const sha256 = async (bytes) => toHex(await crypto.subtle.digest('SHA-256', bytes))

/** The blocks of random bytes of a play, by their number. */
const blocksOf = async ({ serverSeed, clientSeed, nonce, gameType, gameVersion, rules }) => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', fromHex(serverSeed), algorithm, false, ['sign'])
  const hash = await sha256(encoder.encode(rules))
  const text = `tessera-play-v1\n${clientSeed}\n${nonce}\n${gameType} ${gameVersion} ${hash}`
  return (counter) => crypto.subtle.sign('HMAC', key, encoder.encode(`${text}\n${counter}`))
}

/** Whole numbers below a bound, each equally likely. */
const chanceOf = (blockOf) => {
  const words = []
  let counter = 0
  return async (bound) => {
    const fair = Math.floor(2 ** 32 / bound) * bound
    for (;;) {
      if (words.length === 0) {
        const block = new DataView(await blockOf(counter++))
        for (let i = 0; i < 32; i += 4) words.push(block.getUint32(i))
      }
      const word = words.shift()
      if (word < fair) return word % bound
    }
  }
}

const drawReward = async (rewards, chance) => {
  let left = await chance(rewards.reduce((sum, { weight }) => sum + weight, 0))
  for (const { weight, ...reward } of rewards) {
    if (left < weight) return reward
    left -= weight
  }
}

const drawOutcome = async ({ gameType, segments }, { tier }, chance) => {
  const first = await chance(segments)
  if (gameType === 'ENIGMA_BOXES') return { boxIndex: first }
  if (gameType === 'NEON_WHEEL') {
    const from = Math.floor((first * 36000) / segments) + 1
    const to = Math.ceil(((first + 1) * 36000) / segments) - 1
    return { winningSegment: first, spinAngle: (from + (await chance(to - from + 1))) / 100 }
  }
  if (tier !== 'common') return { reels: [first, first, first] }
  const pair = await chance(segments * segments - 1)
  const other = pair < first * segments + first ? pair : pair + 1
  return { reels: [first, Math.floor(other / segments), other % segments] }
}

/** A text that is the same for the same values, whatever the order of their keys. */
const textOf = (value) =>
  JSON.stringify(Object.entries(value ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)))

/** All findings about a play. */
const check = async (proof) => {
  const findings = []
  const find = (isGood, good, bad) => findings.push({ isGood, text: isGood ? good : bad })
  const rules = JSON.parse(proof.rules)
  find(
    (await sha256(fromHex(proof.serverSeed))) === proof.commitment,
    'The server seed is the one that was promised before the play.',
    'The server seed is NOT the one that was promised.',
  )
  const blockOf = await blocksOf(proof)
  find(
    rules.gameType === proof.gameType && toHex(await blockOf(0)) === proof.digest,
    `The random bytes follow from both seeds, play ${proof.nonce}, and version ${proof.gameVersion} of the game.`,
    'The random bytes do NOT follow from the seeds, the number of the play, and the version of the game.',
  )
  const chance = chanceOf(blockOf)
  const reward = await drawReward(rules.rewards, chance)
  find(
    textOf(reward) === textOf(proof.reward),
    `The reward follows from them: ${reward?.label}.`,
    `The reward does NOT follow from them. It should be: ${reward?.label}.`,
  )
  const outcome = await drawOutcome(rules, reward ?? {}, chance)
  find(
    textOf(outcome) === textOf(proof.outcome),
    'What the game showed follows from them, too.',
    'What the game showed does NOT follow from them.',
  )
  return findings
}

const element = (name, className, ...children) => {
  const made = document.createElement(name)
  if (className) made.className = className
  made.append(...children)
  return made
}

const form = document.querySelector('form')
const input = document.getElementById('proof')
const outcome = document.getElementById('outcome')

const run = async () => {
  const say = (text) => outcome.replaceChildren(element('p', 'result bad', text))
  try {
    const sent = JSON.parse(input.value)
    const proof = sent?.data ?? sent
    if (proof?.version !== 1 || typeof proof.rules !== 'string')
      return say('This is no proof of a play.')
    if (!proof.serverSeed)
      return say('The server seed is not revealed yet. Replace it first, then get the proof again.')
    const findings = await check(proof)
    const isGood = findings.every(({ isGood }) => isGood)
    outcome.replaceChildren(
      element(
        'p',
        isGood ? 'result' : 'result bad',
        isGood ? 'This play was drawn as promised.' : 'Something is wrong with this play.',
      ),
      element(
        'ul',
        '',
        ...findings.map(({ isGood, text }) => element('li', isGood ? '' : 'bad', text)),
      ),
    )
  } catch {
    say('This is no proof of a play.')
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void run()
})
document.getElementById('file').addEventListener('change', async ({ target }) => {
  const [file] = target.files
  if (!file) return
  input.value = await file.text()
  void run()
})

/** A link may bring the proof in its fragment, which no browser sends. */
const readLink = () => {
  if (!location.hash.startsWith('#%7B')) return
  try {
    input.value = decodeURIComponent(location.hash.slice(1))
  } catch {
    return
  }
  void run()
}
addEventListener('hashchange', readLink)
readLink()
