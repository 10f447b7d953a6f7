import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Your keys, or those of the demo partner in TEST.
 * @returns undefined if there are neither, because Tessera was not started yet
 */
export const readKeys = () => {
  const { TESSERA_PUBLIC_KEY, TESSERA_SECRET_KEY } = process.env
  const { DATA_DIR = fileURLToPath(new URL('../.data', import.meta.url)) } = process.env
  if (TESSERA_PUBLIC_KEY && TESSERA_SECRET_KEY)
    return { publicKey: TESSERA_PUBLIC_KEY, secretKey: TESSERA_SECRET_KEY }
  try {
    const { keys } = JSON.parse(readFileSync(`${DATA_DIR}/demo.json`, 'utf8'))
    return { publicKey: keys.publicTest, secretKey: keys.secretTest }
  } catch {
    return undefined
  }
}
