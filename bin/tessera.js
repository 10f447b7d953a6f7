#!/usr/bin/env node
/**
 * `npx tessera`: the programs of this repository under one name. Plain JavaScript, because it starts on whatever Node.js
 * the machine has. The programs run on the one that `npm ci` installs.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const packageOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** The program of each command, and what the help says about it. */
const commands = {
  start: ['src/main.ts', 'start the server (this is the default)'],
  seed: ['tools/seed.ts', 'create the demo partner on an empty database'],
  migrate: ['tools/migrate.ts', 'apply migrations; --status shows them'],
  audit: ['tools/audit.ts', 'check the invariants of the data; changes nothing'],
  verify: ['verify/verify-draw.ts', 'verify a draw: tessera verify proof.json'],
  'webhooks listen': [
    'tools/webhooks-listen.ts',
    'forward events to your machine: --forward localhost:3000/hook --api-key sk_test_…',
  ],
}

const help = [
  'Usage: tessera [COMMAND] [OPTIONS]',
  '',
  ...Object.entries(commands).map(([name, [, about]]) => `  ${name.padEnd(16)} ${about}`),
  '',
].join('\n')

const run = (program, args) => {
  const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
  const node = join(folder, packageOf(folder).bin.node)
  const child = spawn(node, ['--env-file-if-exists=.env', join(root, program), ...args], {
    stdio: 'inherit',
  })
  // A terminal sends its signals to both. The command ends with its program.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
  child.on('error', ({ message }) => {
    console.error(`${message}. Is everything installed? npm ci`)
    process.exit(1)
  })
}

const args = process.argv.slice(2)
const name = Object.keys(commands).find((one) => `${args.join(' ')} `.startsWith(`${one} `))

if (args.length === 0) run('src/main.ts', [])
else if (name) run(commands[name][0], args.slice(name.split(' ').length))
else if (['help', '--help', '-h'].includes(args[0])) console.log(help)
else if (['--version', '-v'].includes(args[0])) console.log(packageOf(root).version)
else {
  console.error(`There is no command ${args[0]}.\n\n${help}`)
  process.exitCode = 2
}
