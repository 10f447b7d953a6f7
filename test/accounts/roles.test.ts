/** Roles of members: who may change whom, and that a partner keeps an owner. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MemberRole } from '../../src/generated/prisma/enums.ts'
import { rightsOfRole } from '../../src/kit/access/rights.ts'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

/** A new partner with a signed-in member of each of these roles. */
const createTeam = async <R extends MemberRole>(...roles: R[]) => {
  const { partnerId } = await world.createPartner()
  const members = []
  for (const role of roles) {
    const token = await world.signInAs(role, partnerId)
    members.push({ role, token, id: (await world.get('/dashboard/auth/me', token)).body.data.id })
  }
  return { partnerId, members: members as { role: R; token: string; id: string }[] }
}

const payload = '... on Error { code message } ... on'

/** The new role, or the code of the refusal. */
const setRole = async (by: string, memberId: string, role: MemberRole): Promise<string> => {
  const document = `mutation ($input: UpdateMemberInput!) { updateMember(input: $input) {
    ${payload} UpdateMemberPayload { member { role } } } }`
  const { body } = await world.graphql(document, { input: { memberId, role } }, { bearer: by })
  const result = body.data?.updateMember
  return result?.member?.role ?? result?.code ?? body.errors[0].extensions.code
}

const remove = async (by: string, memberId: string): Promise<string> => {
  const document = `mutation ($input: DeleteMemberInput!) { deleteMember(input: $input) {
    ${payload} DeleteMemberPayload { deletedId } } }`
  const { body } = await world.graphql(document, { input: { memberId } }, { bearer: by })
  const result = body.data?.deleteMember
  return result?.code ?? (result ? 'deleted' : body.errors[0].extensions.code)
}

const rolesOf = async (partnerId: string) =>
  (await world.runtime.db.member.findMany({ where: { partnerId } })).map(({ role }) => role).sort()

test('the viewer has the rights of their role', async () => {
  const { members } = await createTeam('OWNER', 'ADMIN', 'EDITOR', 'ANALYST', 'DEVELOPER')
  for (const { role, token } of members) {
    const document = '{ viewer { rights member { role isOperator } } }'
    const { body } = await world.graphql(document, {}, { bearer: token })
    expect(body.data.viewer).toEqual({
      rights: rightsOfRole[role],
      member: { role, isOperator: false },
    })
  }
})

test('an ADMIN can change everybody except owners, and cannot create owners', async () => {
  const { members } = await createTeam('ADMIN', 'OWNER', 'EDITOR')
  const [admin, owner, editor] = members.map(({ token, id }) => ({ token, id }))
  const by = admin?.token as string
  expect(await setRole(by, editor?.id as string, 'ANALYST')).toBe('ANALYST')
  expect(await setRole(by, editor?.id as string, 'OWNER')).toBe('RIGHT_REQUIRED')
  expect(await setRole(by, owner?.id as string, 'EDITOR')).toBe('RIGHT_REQUIRED')
  expect(await remove(by, owner?.id as string)).toBe('RIGHT_REQUIRED')
  expect(await setRole(owner?.token as string, editor?.id as string, 'OWNER')).toBe('OWNER')
  expect(await setRole(editor?.token as string, owner?.id as string, 'ADMIN')).toBe('ADMIN')
  expect(await setRole(owner?.token as string, owner?.id as string, 'OWNER')).toBe('RIGHT_REQUIRED')
})

test('a role takes effect at once on the node where it was changed, and the error names the right', async () => {
  const { members } = await createTeam('OWNER', 'EDITOR')
  const [owner, editor] = members
  const ask = async () => {
    const rule = 'mutation { setRewardRule(input: { eventType: "x", points: 1 }) { __typename } }'
    return (await world.graphql(rule, {}, { bearer: editor?.token as string })).body
  }
  expect((await ask()).errors).toBeUndefined()
  expect(await setRole(owner?.token as string, editor?.id as string, 'ANALYST')).toBe('ANALYST')
  expect((await ask()).errors[0]).toMatchObject({
    message: 'This requires the right GAMES_WRITE',
    extensions: { code: 'RIGHT_REQUIRED' },
  })
})

test('the last owner cannot be demoted or deleted, not even by an operator', async () => {
  const { members, partnerId } = await createTeam('OWNER', 'OWNER', 'EDITOR')
  const [first, second] = members
  const operator = await world.signInAs('OPERATOR')
  expect(await setRole(operator, first?.id as string, 'EDITOR')).toBe('EDITOR')
  expect(await setRole(operator, second?.id as string, 'EDITOR')).toBe('LAST_OWNER')
  expect(await remove(operator, second?.id as string)).toBe('LAST_OWNER')
  expect(await rolesOf(partnerId)).toEqual(['EDITOR', 'EDITOR', 'OWNER'])
})

test('if owners demote or delete each other at once, one stays', async () => {
  for (let round = 0; round < 10; round++) {
    const { members, partnerId } = await createTeam('OWNER', 'OWNER', 'OWNER')
    const next = (i: number) => members[(i + 1) % members.length]?.id as string
    const answers = await Promise.all(
      members.map(({ token }, i) =>
        round % 2 ? setRole(token, next(i), 'EDITOR') : remove(token, next(i)),
      ),
    )
    const left = await rolesOf(partnerId)
    expect(left.filter((role) => role === 'OWNER').length, answers.join()).toBeGreaterThan(0)
    expect(answers.some((answer) => ['EDITOR', 'deleted'].includes(answer))).toBe(true)
  }
})

describe('data that a role may not read', () => {
  test('is also hidden in fields for owners', async () => {
    const { runtime, partner, tenant } = world
    const { slug: partnerSlug } = await runtime.db.partner.findUniqueOrThrow({
      where: { id: partner.partnerId },
    })
    const create = `mutation { createCampaign(input: { slug: "shown", name: "Shown" }) {
      ... on CreateCampaignPayload { campaign { id } }  __typename } }`
    const made = (await world.graphql(create)).body.data.createCampaign
    expect(made.campaign, JSON.stringify(made)).toBeTruthy()
    await world.graphql(
      'mutation { startCampaign(input: { campaign: { slug: "shown" } }) { __typename } }',
    )
    const document = `{ publicCampaign(partnerSlug: "${partnerSlug}", slug: "shown", environment: ${tenant.environment}) { ... on Campaign { updatedAt } } }`
    for (const [role, isShown] of [
      ['ANALYST', true],
      ['DEVELOPER', false],
    ] as const) {
      const { body } = await world.graphql(document, {}, { bearer: await world.signInAs(role) })
      expect(body.data?.publicCampaign?.updatedAt != null, JSON.stringify(body)).toBe(isShown)
    }
  })

  test('does not include the member themselves', async () => {
    const { members } = await createTeam('DEVELOPER', 'OWNER')
    const [developer, owner] = members
    const idOf = (id = '') => Buffer.from(`Member:${id}`).toString('base64url')
    const ids = [idOf(developer?.id), idOf(owner?.id)]
    const ask = async (bearer = '') =>
      (
        await world.graphql(
          'query ($ids: [ID!]!) { nodes(ids: $ids) { uuid } }',
          { ids },
          { bearer },
        )
      ).body.data.nodes
    expect(await ask(developer?.token)).toEqual([{ uuid: developer?.id }, null])
    expect(await ask(owner?.token)).toEqual([{ uuid: developer?.id }, { uuid: owner?.id }])
  })
})
