/** Links to pages of the console that a person opens with a secret token. */
import { hash } from 'node:crypto'
import { randomSecret } from '../kit/random.ts'
import type { Runtime } from '../kit/runtime.ts'

type Page = 'invitation' | 'reset'

/** The stored form of a token: a digest that is of no use on another page. */
export const digestOfToken = (page: Page, token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hash('sha256', `${page} ${token}`, 'buffer'))

/** A link with a new token. The token is in the fragment, which browsers do not send, so no log has it. */
export const makeSecretLink = (
  { config }: Pick<Runtime, 'config'>,
  page: Page,
): { link: string; tokenDigest: Uint8Array<ArrayBuffer> } => {
  const token = randomSecret()
  const link = `${config.publicUrl}/console/${page}#token=${token}`
  return { link, tokenDigest: digestOfToken(page, token) }
}
