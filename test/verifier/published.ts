/**
 * Proofs that servers have published. Everybody who keeps one must be able to verify it forever, so none of these files
 * ever changes: a new format gets new files.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Proof as DrawProof } from '../../packages/verifier/draw.ts'
import type { Proof as PlayProof } from '../../packages/verifier/play.ts'

const folder = fileURLToPath(new URL('published/', import.meta.url))

const proofsOf = <T>(kind: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith(kind))
    .map((name) => ({
      name,
      path: folder + name,
      proof: JSON.parse(readFileSync(folder + name, 'utf8')) as T,
    }))

export const publishedDraws = proofsOf<DrawProof>('draw-')
export const publishedPlays = proofsOf<PlayProof>('play-')
