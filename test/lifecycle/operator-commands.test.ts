/** The commands that create operators, partners and keys, on a database on which no server has started. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCommand } from '../server-process.ts'
import { createDatabase, createWorld, onPostgres, type TestDatabase, type World } from '../world.ts'

const bin = join(import.meta.dirname, '../../bin/tessera.js')
const nowhere = { DATABASE_URL: 'postgresql://user:password@127.0.0.1:1/none' }

let database: TestDatabase
let env: Record<string, string>

type Ended = { code: number | null; output: string }
const ended = async (
  args: string[],
  settings = env,
  input: string | undefined = undefined,
): Promise<Ended> => {
  const script = input === undefined ? 'exec "$@"' : `printf '%s' '${input}' | "$@"`
  const command = ['-c', script, 'sh', process.execPath, bin, ...args]
  const running = startCommand('sh', command, settings)
  return { code: await running.exited, output: running.output() }
}

beforeAll(async () => {
  database = await createDatabase(onPostgres, false)
  env = {
    DATA_DIR: join(database.dataDir, 'new'),
    ...(database.databaseUrl && { DATABASE_URL: database.databaseUrl }),
  }
})
afterAll(() => database.drop())

describe.concurrent('arguments that make no sense end a command in one line, before it opens the database', () => {
  test.each([
    ['admin create nobody', 'EMAIL must be an e-mail address'],
    ['admin create a@example.com b@example.com', 'Unexpected argument: b@example.com'],
    ['partner create Acme --slug Acme_1', '--slug must be lower-case letters'],
    ['partner create Acme --with-key', "Unknown option '--with-key'"],
    ['keys create --partner acme --environment DEV --kind SECRET', '--environment must be one of'],
    ['migrate --to NOWHERE', 'There is no migration NOWHERE'],
    ['keys create --partner acme --environment LIVE', '--kind is required'],
  ])('tessera %s', async (line, message) => {
    const { code, output } = await ended(line.split(' '), nowhere)
    expect({ code, lines: output.trim().split('\n').length }).toEqual({ code: 2, lines: 1 })
    expect(output).toContain(message)
  })

  test('tessera admin create EMAIL --password-stdin with a short password', async () => {
    const args = ['admin', 'create', 'a@example.com', '--password-stdin']
    const short = await ended(args, nowhere, 'short')
    expect(short).toEqual({ code: 2, output: expect.stringContaining('at least 12 characters') })
  })
})

test('a database that cannot be reached is one line, too', async () => {
  const { code, output } = await ended(['admin', 'create', 'a@example.com'], nowhere)
  expect(code).toBe(1)
  expect(output).toMatch(/^The database cannot be reached.*\n$/)
})

test('--help tells the options of a command, and does nothing', async () => {
  const { code, output } = await ended(['partner', 'create', 'Acme', '--help'], nowhere)
  expect(code).toBe(0)
  expect(output).toContain('--with-keys')
})

describe('on an empty database', () => {
  let world: World
  const made: Record<string, Ended> = {}
  const json = (name: string) => JSON.parse(made[name]?.output ?? '')

  beforeAll(async () => {
    const admin = ['admin', 'create']
    made.admin = await ended([...admin, 'Root@Example.com', '--json'])
    made.again = await ended([...admin, 'root@example.com'])
    made.chosen = await ended(
      [...admin, 'second@example.com', '--password-stdin'],
      env,
      'a password of my own\n',
    )
    made.partner = await ended(['partner', 'create', 'Müller & Söhne', '--with-keys', '--json'])
    made.taken = await ended([
      'partner',
      'create',
      'Other',
      '--slug',
      'muller-sohne',
      '--with-keys',
    ])
    made.demo = await ended(['partner', 'create', 'Shop', '--with-demo'])
    const key = ['keys', 'create', '--environment', 'live', '--kind', 'secret', '--label', 'till']
    made.key = await ended([...key, '--partner', 'shop', '--json'])
    made.unknown = await ended([...key, '--partner', 'nobody'])
    made.audit = await ended(['audit'])
    made.rotated = await ended(['rotate-master-key'])
    const used = { ...database, dataDir: env.DATA_DIR as string }
    world = await createWorld({ database: used })
  }, 480_000)
  afterAll(() => world?.end())

  const signIn = (email: string, password: string) =>
    world.post('/dashboard/auth/login', undefined, { email, password })
  const whoIs = (key: string) =>
    world.post('/graphql', key, { query: '{ viewer { partner { slug } environment } }' })
  const partnerOf = (slug: string) =>
    world.runtime.db.partner.findUniqueOrThrow({ where: { slug } })
  const entriesOf = async (slug: string) => {
    const { id: partnerId } = await partnerOf(slug)
    const where = { partnerId, actorKind: 'SYSTEM' as const }
    return world.runtime.db.auditEntry.findMany({ where, orderBy: { id: 'asc' } })
  }

  test('admin create makes an operator, whose password is shown once', async () => {
    const { email, password } = json('admin')
    expect(email).toBe('root@example.com')
    expect(password).toMatch(/^[\w-]{24}$/)
    const { accessToken } = (await signIn(email, password)).body.data
    expect((await world.get('/admin/arena-games', accessToken)).status).toBe(200)
    expect(made.chosen).toMatchObject({ code: 0 })
    expect(made.chosen?.output).not.toContain('a password of my own')
    expect((await signIn('second@example.com', 'a password of my own')).status).toBe(200)
  })

  test('admin create changes no operator that exists', async () => {
    expect(made.again).toMatchObject({ code: 1 })
    expect(made.again?.output).toMatch(/^There is an operator root@example.com already.*\n$/)
  })

  test('partner create --with-keys makes keys that work', async () => {
    const { slug, keys } = json('partner')
    expect(slug).toBe('muller-sohne')
    expect(Object.keys(keys)).toEqual(['publicTest', 'secretTest', 'publicLive', 'secretLive'])
    for (const environment of ['Test', 'Live']) {
      const { body } = await whoIs(keys[`secret${environment}`])
      const partner = { slug: 'muller-sohne' }
      const viewer = { partner, environment: environment.toUpperCase() }
      expect(body.data).toEqual({ viewer })
      expect((await world.get('/v1/leaderboard', keys[`public${environment}`])).status).toBe(200)
    }
  })

  test('partner create refuses a slug that is taken, and writes nothing', async () => {
    expect(made.taken).toMatchObject({ code: 1 })
    expect(await world.runtime.db.partner.count({ where: { name: 'Other' } })).toBe(0)
    const labels = { where: { label: 'tessera partner create' } }
    expect(await world.runtime.db.apiKey.count(labels)).toBe(4)
  })

  test('partner create --with-demo fills TEST and leaves LIVE empty', async () => {
    const { id: partnerId } = await partnerOf('shop')
    const of = (environment: 'TEST' | 'LIVE') => ({ where: { partnerId, environment } })
    const { gameMechanic, campaign, lottery } = world.runtime.db
    expect(await gameMechanic.count(of('TEST'))).toBeGreaterThan(0)
    expect(await campaign.count(of('TEST'))).toBeGreaterThan(0)
    expect(await lottery.count(of('TEST'))).toBeGreaterThan(0)
    expect(await gameMechanic.count(of('LIVE'))).toBe(0)
    expect(made.audit).toMatchObject({ code: 0 })
    expect(made.audit?.output).toContain('Nothing is broken.')
  })

  test('keys create makes a key that works, for a partner that exists', async () => {
    expect(json('key')).toMatchObject({ partner: 'shop', environment: 'LIVE', label: 'till' })
    const viewer = { partner: { slug: 'shop' }, environment: 'LIVE' }
    expect((await whoIs(json('key').key)).body.data).toEqual({ viewer })
    expect(made.unknown).toMatchObject({ code: 1 })
    expect(made.unknown?.output).toMatch(/^There is no partner nobody.*\n$/)
  })

  test('the audit log has an entry of the SYSTEM for each, with its changes and without secrets', async () => {
    const ofShop = await entriesOf('shop')
    expect(ofShop.map(({ action }) => action)).toEqual(['createPartner', 'createApiKey'])
    const [partner, key] = ofShop
    expect(partner?.changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ table: 'partner', field: 'slug', to: 'shop' }),
        expect.objectContaining({ table: 'game_mechanic', field: 'name', to: 'Neon Wheel' }),
      ]),
    )
    expect(key).toMatchObject({
      environment: 'LIVE',
      targetType: 'ApiKey',
      targetId: json('key').id,
    })
    expect((await entriesOf('muller-sohne')).map(({ action }) => action)).toEqual([
      'createPartner',
      ...Array(4).fill('createApiKey'),
    ])
    const ofOperators = await entriesOf('operator')
    expect(ofOperators.map(({ action }) => action)).toEqual(['createMember', 'createMember'])
    expect(ofOperators[0]).toMatchObject({ targetType: 'Member', targetId: json('admin').id })
    const text = JSON.stringify([ofShop, ofOperators])
    expect(text).not.toContain(json('key').key)
    expect(text).not.toContain('$argon2id')
  })

  test('rotate-master-key is a command', () => {
    expect(made.rotated).toMatchObject({ code: 0 })
    expect(made.rotated?.output).toContain('No stored value needs another version.')
  })
})

test('with MIGRATE=off a command does not migrate', async () => {
  const empty = await createDatabase(onPostgres, false)
  const { code, output } = await ended(['partner', 'create', 'Acme'], {
    DATA_DIR: join(empty.dataDir, 'new'),
    ...(empty.databaseUrl && { DATABASE_URL: empty.databaseUrl }),
    MIGRATE: 'off',
  })
  await empty.drop()
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('tessera migrate') })
})
