/**
 * Checks a play in the browser, from its proof alone, by the arithmetic of the program `verify-play`. It asks no server and
 * believes nothing that it can calculate.
 */
import { type Proof, rulesOf, verifyPlay } from '../../packages/verifier/play.ts'
import { element, listOf } from './check-parts.ts'
import type { PlayCheckResults } from './texts/play-check-texts.ts'

const form = document.querySelector('form') as HTMLFormElement
const input = document.getElementById('proof') as HTMLTextAreaElement
const file = document.getElementById('file') as HTMLInputElement
const texts: PlayCheckResults = JSON.parse(form.dataset['texts'] ?? '{}')
const outcome = document.getElementById('outcome') as HTMLElement

const run = () => {
  const say = (text: string) => outcome.replaceChildren(element('p', 'result bad', text))
  try {
    const sent = JSON.parse(input.value)
    const proof: Proof = sent?.data ?? sent
    if (!rulesOf(proof)) return say(texts.noProof)
    if (!proof.serverSeed) return say(texts.seedHidden)
    const findings = verifyPlay(proof, texts)
    const isGood = findings.every(({ ok }) => ok)
    outcome.replaceChildren(
      element('p', isGood ? 'result' : 'result bad', isGood ? texts.good : texts.wrong),
      listOf(findings),
    )
  } catch {
    say(texts.noProof)
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  run()
})
file.addEventListener('change', async () => {
  const [chosen] = file.files ?? []
  if (!chosen) return
  input.value = await chosen.text()
  run()
})

/** A link may bring the proof in its fragment, which no browser sends. */
const readLink = () => {
  if (!location.hash.startsWith('#%7B')) return
  try {
    input.value = decodeURIComponent(location.hash.slice(1))
  } catch {
    return
  }
  run()
}
addEventListener('hashchange', readLink)
readLink()
