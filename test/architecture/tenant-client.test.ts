/** The wall between tenants, and the list of who passes it. */
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { createSegment } from '../../src/journeys/segment.ts'
import type { Db } from '../../src/kit/database/db.ts'
import { ofTenant, ofTenants } from '../../src/kit/database/tenant-client.ts'
import { createWorld, type World } from '../world.ts'

const cwd = fileURLToPath(new URL('../../src', import.meta.url))

test('who reads across tenants says why, and is listed here', async () => {
  const files = globSync('**/*.ts', { cwd, exclude: (name) => name === 'generated' })
  const lines = files
    .filter((file) => file !== 'kit/database/tenant-client.ts')
    .flatMap((file) => {
      const text = readFileSync(`${cwd}/${file}`, 'utf8').replace(/^import .*$/gm, '')
      const uses = text.match(/\bacrossTenants\b/g)?.length ?? 0
      const found = Array.from(
        text.matchAll(/\bacrossTenants\([\w.]+, '([A-Z]+)'\)+\s*\.?(\w*)/g),
        ([, reason, model]) => `${reason} ${file} ${model}`,
      )
      expect(found, `${file} names its reason in the call`).toHaveLength(uses)
      return found
    })
  const counted = Map.groupBy(lines.sort(), (line) => line)
  const list = Array.from(counted, ([line, { length }]) =>
    length > 1 ? `${line} ${length} ×` : line,
  )
  await expect(`${list.join('\n')}\n`).toMatchFileSnapshot('across-tenants.txt')
})

test('the database has no models of tenants', () => {
  // @ts-expect-error ofTenant(db, caller).campaign
  expect((db: Db) => db.campaign).toBeTypeOf('function')
  expect((db: Db) => db.arenaMatch).toBeTypeOf('function')
})

describe('a tenant', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.end())

  const worldOf = async () => {
    const { partnerId } = await world.createPartner()
    const [mine, theirs] = [world.tenant, { partnerId, environment: 'TEST' } as const]
    const { id } = await createSegment(world.runtime, {
      ...theirs,
      name: 'VIP',
      engagementTier: 'whale',
    })
    return { mine, theirs, id, own: ofTenant(world.runtime.db, mine) }
  }

  it('reads its own rows only', async () => {
    const { mine, theirs, id, own } = await worldOf()
    expect(await own.segment.findMany()).toEqual([])
    expect(await own.segment.findUnique({ where: { id } })).toBeNull()
    expect(await own.segment.findMany({ where: theirs })).toEqual([])
    expect(await own.segment.findMany({ where: { OR: [{ id }, theirs] } })).toEqual([])
    expect(await own.segment.count()).toBe(0)
    expect(await ofTenant(world.runtime.db, theirs).segment.count()).toBe(1)
    const both = ofTenants(world.runtime.db, [mine, theirs], () => ({}))
    expect(await both.segment.findMany({ where: { OR: [{ id }] } })).toMatchObject([{ id }])
    const onlyMine = ofTenants(world.runtime.db, [mine], () => theirs)
    expect(await onlyMine.segment.findMany({})).toEqual([])
    const ofNobody = ofTenants(world.runtime.db, [], () => ({}))
    expect(await ofNobody.segment.findMany({ where: { id } })).toEqual([])
  })

  it('changes and deletes its own rows only', async () => {
    const { id, own } = await worldOf()
    const data = { name: 'taken' }
    await expect(own.segment.update({ where: { id }, data })).rejects.toThrow(/not found/i)
    expect(await own.segment.updateMany({ data })).toEqual({ count: 0 })
    expect(await own.segment.deleteMany({ where: { id } })).toEqual({ count: 0 })
  })

  it('keeps its rows', async () => {
    const { mine, theirs } = await worldOf()
    const other = ofTenant(world.runtime.db, theirs)
    const data = { name: 'moved', ...mine }
    expect(await other.segment.updateMany({ data })).toEqual({ count: 1 })
    expect(await other.segment.findMany()).toMatchObject([{ name: 'moved', ...theirs }])
  })

  it('creates its own rows only', async () => {
    const { mine, theirs, own } = await worldOf()
    const at = world.runtime.clock()
    const rule = {
      id: randomUUID(),
      eventType: `visit-${theirs.partnerId}`,
      points: 5,
      createdAt: at,
    }
    const made = await own.rewardRule.create({ data: { ...rule, ...theirs } })
    expect(made).toMatchObject(mine)
    const changed = await own.rewardRule.upsert({
      where: { partnerId_environment_eventType: { ...theirs, eventType: rule.eventType } },
      create: { ...rule, ...theirs },
      update: { points: 6 },
    })
    expect(changed).toMatchObject({ ...mine, id: rule.id, points: 6 })
    const more = { ...rule, id: randomUUID(), eventType: `${rule.eventType}-2`, ...theirs }
    await own.rewardRule.createMany({ data: [more] })
    expect(await own.rewardRule.findUnique({ where: { id: more.id } })).toMatchObject(mine)
  })

  it('is named, or nothing is read', () => {
    const nobody = { partnerId: undefined, environment: 'TEST' } as never
    expect(() => ofTenant(world.runtime.db, nobody)).toThrow('whose it is')
    expect(() => ofTenants(world.runtime.db, [nobody], () => ({}))).toThrow('whose it is')
  })
})
