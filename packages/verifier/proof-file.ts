/** Reads proofs from files, and prints what was found. */
import { readFileSync } from 'node:fs'

/** A file that cannot be verified. The message is one line. */
class UnusableFileError extends Error {}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}

export const unreadable = (
  path: string,
  { code = '', message }: NodeJS.ErrnoException,
): UnusableFileError => new UnusableFileError(`${path} cannot be read: ${reasons[code] ?? message}`)

/** @throws UnusableFileError */
export const readProof = <Proof>(path: string): Proof => {
  try {
    const read = JSON.parse(readFileSync(path, 'utf8'))
    // An answer of the API has it in `data`.
    const proof = read?.data ?? read
    if (typeof proof === 'object' && proof !== null && !Array.isArray(proof)) return proof
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw unreadable(path, error as Error)
    throw new UnusableFileError(`${path} is no proof: it is not JSON`)
  }
  throw new UnusableFileError(`${path} is no proof: it is not a JSON object`)
}

/** Prints whether all findings are good, and where their limits are described. Returns the exit code. */
export const printVerdict = async (
  verify: () => Promise<boolean>,
  guide: string,
): Promise<number> => {
  try {
    const isGood = await verify()
    console.log(
      isGood
        ? `\nThe proof holds. What it cannot show is in ${guide}.`
        : '\nThe proof does NOT hold.',
    )
    return isGood ? 0 : 1
  } catch (error) {
    if (!(error instanceof UnusableFileError)) throw error
    console.error(error.message)
    return 2
  }
}
