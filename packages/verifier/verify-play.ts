/**
 * Verifies plays of games of chance offline: `node verify-play.ts proof.json …`.
 *
 * It uses nothing but Node itself, and no code of the server that drew the play. What it checks, and how, is described in
 * docs/fair-plays.md, so that anybody can write their own verifier.
 */
import { type Finding, notUnderstood } from './finding.ts'
import { type Proof, verifyPlay } from './play.ts'
import { printVerdict, readProof } from './proof-file.ts'

const verifyFile = (path: string): Finding[] => {
  const proof = readProof<Proof>(path)
  try {
    return verifyPlay(proof)
  } catch {
    return notUnderstood // its parts are not what the format says
  }
}

const verifyFiles = async (paths: string[]): Promise<boolean> => {
  let isGood = true
  for (const path of paths) {
    const findings = verifyFile(path)
    if (paths.length > 1) console.log(path)
    for (const { ok, text } of findings) console.log(`${ok ? '✓' : '✗'} ${text}`)
    isGood &&= findings.every(({ ok }) => ok)
  }
  return isGood
}

/** Prints what the checks of proofs find. Returns the exit code. */
export const main = async (paths: string[]): Promise<number> => {
  if (paths.length > 0) return printVerdict(() => verifyFiles(paths), 'docs/fair-plays.md')
  console.error('Usage: node verify-play.ts proof.json …')
  return 2
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
