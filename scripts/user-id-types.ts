/** Gives the ids of users in the generated models the types of `kit/user-id.ts`. Runs after `prisma generate`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const models = new URL('../src/generated/prisma/models/', import.meta.url)

const typeOf: Record<string, string> = {
  'EndUser.id': 'UserId',
  userId: 'UserId',
  referrerId: 'UserId',
  refereeId: 'UserId',
  externalId: 'ExternalId',
  externalUserId: 'ExternalId',
}

let typed = 0
for (const file of readdirSync(models)) {
  const model = file.replace('.ts', '')
  const url = new URL(file, models)
  const text = readFileSync(url, 'utf8')
  const changed = text.replace(/^ {2}scalars: .*?^ {2}\}/ms, (scalars) =>
    scalars.replace(/^( {4}(\w+): )string/gm, (column, start, name) => {
      const type = typeOf[name] ?? typeOf[`${model}.${name}`]
      if (!type) return column
      typed++
      return `${start}import('../../../kit/user-id.ts').${type}`
    }),
  )
  if (changed !== text) writeFileSync(url, changed)
}
if (typed === 0)
  throw new Error('no id of a user was found: the generated models have another form')
