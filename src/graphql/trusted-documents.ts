/** Documents listed by the operator, in the formats of client build tools. */
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError } from '../kit/config/config.ts'

/** Texts by id, or the format of Apollo's tools. */
const Manifest = z.union([
  z.object({ operations: z.array(z.object({ id: z.string(), body: z.string() })) }),
  z.record(z.string(), z.string()),
])

const filesOf = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith('.json'))
        .map((name) => join(path, name))
    : [path]

const entriesOf = (file: string): [id: string, text: string][] => {
  const manifest = Manifest.parse(JSON.parse(readFileSync(file, 'utf8')))
  return Array.isArray(manifest.operations)
    ? manifest.operations.map(({ id, body }) => [id, body])
    : Object.entries(manifest as Record<string, string>)
}

/** @throws ConfigError that names the invalid file */
const readManifests = (path: string): [id: string, text: string][] => {
  try {
    return filesOf(path).flatMap(entriesOf)
  } catch (cause) {
    const why = cause instanceof z.ZodError ? 'is not {id: text}' : (cause as Error).message
    throw new ConfigError(`TRUSTED_DOCUMENTS: ${path}: ${why} (see .env.example)`)
  }
}

export type TrustedDocuments = {
  textOf(id: string): string | undefined
  has(text: string): boolean
}

/**
 * Reads a manifest, or all manifests of a folder, once at the start.
 * @param own documents of our own pages, which are always trusted, also by their hashes
 * @throws ConfigError also for an id that looks like a hash but is not the hash of its text
 */
export const readTrustedDocuments = (
  path: string | undefined,
  own: readonly string[],
): TrustedDocuments => {
  const texts = new Map(own.map((text) => [hash('sha256', text), text]))
  for (const [id, text] of path === undefined ? [] : readManifests(path)) {
    const name = id.replace(/^sha256:/, '')
    const sha256 = hash('sha256', text)
    if (/^[\da-f]{64}$/.test(name) && name !== sha256)
      throw new ConfigError(`TRUSTED_DOCUMENTS: ${id} is not the SHA-256 hash of its document`)
    texts.set(name, text).set(sha256, text)
  }
  const trusted = new Set(texts.values())
  return { textOf: (id) => texts.get(id), has: (text) => trusted.has(text) }
}
