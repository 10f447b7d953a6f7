/** `tessera admin create`: creates an operator of the service, who signs in to the console. */
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { newPassword } from '../accounts/member.ts'
import { createOperator } from '../accounts/operator.ts'
import { email } from '../kit/validation.ts'
import {
  CommandError,
  checkArgument,
  printResult,
  readArguments,
  runCommand,
  UsageError,
  withDatabase,
} from './command.ts'

const usage = `tessera admin create EMAIL [OPTIONS]

Creates an operator of the service and shows a new password, once.

  --password-stdin   read the password from the standard input, or ask for it in a terminal
  --json             print the result as JSON`

/** The first line of stdin. A terminal shows a prompt and does not echo the input. */
const readPassword = async (): Promise<string> => {
  const { stdin, stderr } = process
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  if (stdin.isTTY) stderr.write('Password (12 characters or more): ')
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY })
  for await (const line of lines) {
    lines.close()
    if (stdin.isTTY) stderr.write('\n')
    return line
  }
  throw new UsageError('The standard input has no password')
}

await runCommand('admin create', usage, async () => {
  const options = { 'password-stdin': { type: 'boolean' }, json: { type: 'boolean' } } as const
  const { values, positionals } = readArguments(options, ['EMAIL'])
  const address = checkArgument('EMAIL', email(), positionals[0])
  const given = values['password-stdin']
    ? checkArgument('The password', newPassword(), await readPassword())
    : undefined
  const password = given ?? randomBytes(18).toString('base64url')
  const made = await withDatabase((work) => createOperator(work, { email: address, password }))
  if (!made) throw new CommandError(`There is an operator ${address} already; nothing was changed.`)
  const shown = given ? [] : ['', `Password  ${password}`, '', 'It is shown only now.']
  printResult(
    values.json,
    { id: made.id, email: made.email, ...(!given && { password }) },
    [`Created the operator ${made.email}, who signs in at /console.`, ...shown].join('\n'),
  )
})
