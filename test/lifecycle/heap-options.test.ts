/** The limits of the heap are those of `npm start`, however the server is started. V8 takes them from the command line only. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const optionsIn = (text: string) => text.match(/--(max|min|initial)-[a-z-]+=\d+/g) ?? []

const expected = optionsIn(JSON.parse(read('package.json')).scripts.start)

test('npm start limits both generations', () => {
  expect(expected).toEqual(['--max-semi-space-size=32', '--max-old-space-size=1024'])
})

test.each(['Dockerfile', 'deploy/tessera@.service'])('%s has the same options', (path) => {
  expect(optionsIn(read(path))).toEqual(expected)
})

test('npx tessera starts the server with the same options', () => {
  const print = 'data:text/javascript,console.log(...process.execArgv)'
  const { status, stdout } = spawnSync(process.execPath, ['bin/tessera.js'], {
    cwd: root,
    env: { PORT: 'invalid', NODE_OPTIONS: `--import=${print}` },
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(optionsIn(stdout)).toEqual(expected)
})
