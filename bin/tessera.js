#!/usr/bin/env node
/**
 * `npx tessera`: the programs of this repository under one name. Plain JavaScript, because it starts on whatever Node.js
 * the machine has. The programs run on the one that `npm ci` installs.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const packageOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** The program of each command, and what the help says about it. */
const commands = {
  start: ['src/main.js', 'start the server (this is the default)'],
  'admin create': ['src/cli/admin-create.ts', 'create an operator of the service: EMAIL'],
  'partner create': ['src/cli/partner-create.ts', 'create a partner: NAME [--with-keys]'],
  'keys create': [
    'src/cli/keys-create.ts',
    'create a key: --partner SLUG --environment … --kind …',
  ],
  check: ['src/cli/check.ts', 'check settings, the database and the master key; changes nothing'],
  migrate: ['src/cli/migrate.ts', 'apply migrations; --status shows them'],
  audit: ['src/cli/audit.ts', 'check the invariants of the data; changes nothing'],
  backup: [
    'src/cli/backup.ts',
    'write the whole database into a new file, while the server runs: FILE',
  ],
  restore: ['src/cli/restore.ts', 'make the database of such a file: FILE'],
  move: ['src/cli/move.ts', 'copy the whole database to an empty one: --to DATA_DIR'],
  'rotate-master-key': ['src/cli/rotate-master-key.ts', 're-seal under the first of MASTER_KEYS'],
  seed: ['src/cli/seed.ts', 'create the demo partner on an empty database'],
  verify: ['src/cli/verify.ts', 'verify draws and plays: proof.json'],
  'arena practice': [
    'src/cli/arena-practice.ts',
    'play your agent against a built-in one: --agent http://localhost:5001',
  ],
  'webhooks listen': [
    'src/cli/webhooks-listen.ts',
    'forward events to your machine: --forward localhost:3000/hook --api-key sk_test_…',
  ],
}

const help = [
  'Usage: tessera [COMMAND] [OPTIONS]',
  '',
  ...Object.entries(commands).map(([name, [, about]]) => `  ${name.padEnd(18)} ${about}`),
  '',
  'Settings are environment variables, also from .env. `tessera COMMAND --help` tells more.',
].join('\n')

/** The Node.js of `npm ci`. An image has its own instead. */
const findNode = () => {
  const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
  const installed = join(folder, packageOf(folder).bin.node)
  return existsSync(installed) ? installed : process.execPath
}

/** The limits of the heap in `npm start`. */
const heapOptions = () => packageOf(root).scripts.start.match(/--max-\S+/g)

const run = (program, args) => {
  // `--env-file-if-exists` would print a line if there is none.
  const settings = existsSync('.env') ? ['--env-file=.env'] : []
  const flags = program === 'src/main.js' ? heapOptions() : []
  const child = spawn(findNode(), [...flags, ...settings, join(root, program), ...args], {
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

const asksForHelp = ['help', '--help', '-h'].includes(args[name === 'start' ? 1 : 0])

if (args.length === 0) run('src/main.js', [])
else if (asksForHelp) console.log(help)
else if (name) run(commands[name][0], args.slice(name.split(' ').length))
else if (['--version', '-v'].includes(args[0])) console.log(packageOf(root).version)
else {
  console.error(`There is no command ${args[0]}.\n\n${help}`)
  process.exitCode = 2
}
