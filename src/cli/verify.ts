/** `tessera verify`: checks proofs of draws and of plays offline, each with its own program. */
import { readFileSync } from 'node:fs'
import { main as verifyDraw } from '../../packages/verifier/verify-draw.ts'
import { main as verifyPlays } from '../../packages/verifier/verify-play.ts'
import { runCommand, UsageError } from './command.ts'

const usage = `tessera verify draw.json [tickets.txt]   a draw of a lottery (docs/verify-a-draw.md)
tessera verify play.json …               plays of games of chance (docs/fair-plays.md)`

/** Whether a file is the proof of a play. What is wrong with a file is said by the program that verifies it. */
const isPlay = (path: string): boolean => {
  try {
    const read = JSON.parse(readFileSync(path, 'utf8'))
    return (read?.data ?? read)?.playId !== undefined
  } catch {
    return false
  }
}

await runCommand('verify', usage, async () => {
  const paths = process.argv.slice(2)
  const [first] = paths
  if (first === undefined) throw new UsageError('The file of a proof is missing')
  process.exitCode = await (isPlay(first) ? verifyPlays : verifyDraw)(paths)
})
