/** Every way to start the server gives Node.js the same options. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

test.each(['package.json', 'Dockerfile', 'deploy/tessera@.service', 'bin/tessera.js'])(
  '%s limits both generations of the heap',
  (path) => {
    expect(read(path).match(/--(max|min|initial)-[a-z-]+=\d+/g)).toEqual([
      '--max-semi-space-size=32',
      '--max-old-space-size=1024',
    ])
  },
)
