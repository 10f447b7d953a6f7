/** `tessera keys create`: creates an API key of a partner. */
import { CreateApiKey, createApiKey } from '../accounts/api-key.ts'
import { type ApiKeyKind, Environment } from '../generated/prisma/enums.ts'
import { auditedBySystem } from '../kit/access/audited.ts'
import type { Work } from '../kit/runtime.ts'
import type { Tenant } from '../kit/tenant.ts'
import { oneOf } from '../kit/validation.ts'
import {
  CommandError,
  checkArgument,
  printResult,
  readArguments,
  runCommand,
  UsageError,
  withDatabase,
} from './command.ts'

const usage = `tessera keys create --partner SLUG --environment TEST|LIVE --kind PUBLIC|SECRET [OPTIONS]

Creates a key of the first application of a partner and shows it, once.

  --label TEXT   what the key is for
  --json         print the result as JSON`

/** Creates a key with its entry in the audit log. */
export const createKey = (
  work: Work,
  input: Tenant & { kind: ApiKeyKind; label: string | undefined },
) =>
  auditedBySystem(work, {
    action: 'createApiKey',
    run: (txWork) => createApiKey(txWork, input),
    targetOf: ({ apiKey }) => ({ ...apiKey, type: 'ApiKey' }),
  })

const readOptions = () => {
  const text = { type: 'string' } as const
  const { values } = readArguments({
    partner: text,
    environment: text,
    kind: text,
    label: text,
    json: { type: 'boolean' },
  })
  const { partner: slug, label, json } = values
  if (!slug) throw new UsageError('--partner is missing')
  return {
    slug,
    json,
    environment: checkArgument(
      '--environment',
      oneOf('Environment', Environment),
      values.environment?.toUpperCase(),
    ),
    kind: checkArgument('--kind', CreateApiKey.shape.kind, values.kind?.toUpperCase()),
    label: checkArgument('--label', CreateApiKey.shape.label, label) ?? undefined,
  }
}

if (import.meta.main)
  await runCommand('keys create', usage, async () => {
    const { slug, json, ...input } = readOptions()
    const { apiKey, key } = await withDatabase(async (work) => {
      const partner = await work.db.partner.findUnique({ where: { slug } })
      if (!partner) throw new CommandError(`There is no partner ${slug}; nothing was created.`)
      if (partner.closedAt)
        throw new CommandError(`The partner ${slug} is closed; nothing was created.`)
      return createKey(work, { ...input, partnerId: partner.id })
    })
    const { id, kind, environment, label } = apiKey
    printResult(
      json,
      { id, partner: slug, kind, environment, label, key },
      `${key}\n\nThis ${kind} key of ${slug} in ${environment} is shown only now.`,
    )
  })
