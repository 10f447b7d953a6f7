/** `tessera partner create`: creates a partner with a first application, and on request its keys and an example. */
import { CreatePartner, createPartner } from '../accounts/partner.ts'
import { seedEnvironment } from '../demo/demo.ts'
import { ApiKeyKind, Environment } from '../generated/prisma/enums.ts'
import { auditedBySystem } from '../kit/access/audited.ts'
import { inTransaction } from '../kit/database/db.ts'
import type { Work } from '../kit/runtime.ts'
import { checkArgument, printResult, readArguments, runCommand, withDatabase } from './command.ts'
import { createKey } from './keys-create.ts'

const usage = `tessera partner create NAME [OPTIONS]

Creates a partner with a first application.

  --slug SLUG   its name in URLs: lower-case letters and digits, joined by hyphens; made of NAME unless given
  --with-keys   create a public and a secret key for TEST and LIVE, and show them, once
  --with-demo   give TEST the rules, games, campaigns and lotteries of the demo; LIVE stays empty
  --json        print the result as JSON`

/** `Müller & Söhne` → `muller-sohne`. */
const slugOf = (name: string): string =>
  (
    name
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z\d]+/g) ?? []
  )
    .join('-')
    .slice(0, 64)
    .replace(/-$/, '')

const keyLabel = 'tessera partner create'

/** One key of each kind for each environment, by names such as `secretLive`. */
const createKeys = async (work: Work, partnerId: string): Promise<Record<string, string>> => {
  const keys: Record<string, string> = {}
  for (const environment of Object.values(Environment))
    for (const kind of Object.values(ApiKeyKind)) {
      const name = `${kind.toLowerCase()}${environment[0]}${environment.slice(1).toLowerCase()}`
      const { key } = await createKey(work, { partnerId, environment, kind, label: keyLabel })
      keys[name] = key
    }
  return keys
}

const readOptions = () => {
  const flag = { type: 'boolean' } as const
  const options = { slug: { type: 'string' }, json: flag } as const
  const { values, positionals } = readArguments(
    { ...options, 'with-keys': flag, 'with-demo': flag },
    ['NAME'],
  )
  const name = checkArgument('NAME', CreatePartner.shape.name, positionals[0])
  const slug = checkArgument('--slug', CreatePartner.shape.slug, values.slug ?? slugOf(name))
  return { name, slug, ...values }
}

await runCommand('partner create', usage, async () => {
  const { name, slug, json, ...wanted } = readOptions()
  const { partner, keys } = await withDatabase((work) =>
    inTransaction(work, async (txWork) => {
      const partner = await auditedBySystem(txWork, {
        action: 'createPartner',
        run: async (txWork) => {
          const partner = await createPartner(txWork, { name, slug })
          const tenant = { partnerId: partner.id, environment: 'TEST' } as const
          if (wanted['with-demo']) await seedEnvironment(txWork, tenant)
          return partner
        },
        targetOf: ({ id }) => ({ type: 'Partner', id, partnerId: id, environment: null }),
      })
      const keys = wanted['with-keys'] ? await createKeys(txWork, partner.id) : undefined
      return { partner, keys }
    }),
  )
  const lines = Object.entries(keys ?? {}).map(([name, key]) => `${name.padEnd(12)}${key}`)
  printResult(
    json,
    { id: partner.id, slug, name, ...(keys && { keys }) },
    [
      `Created the partner ${name} (${slug}).`,
      ...(keys ? ['', ...lines, '', 'The keys are shown only now.'] : []),
    ].join('\n'),
  )
})
