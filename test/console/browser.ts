/** A minimal browser for sessions of the console: it keeps the cookie and sends its origin. */
import { randomUUID } from 'node:crypto'
import { hashPassword } from '../../src/accounts/password.ts'
import type { MemberRole } from '../../src/generated/prisma/enums.ts'
import type { World } from '../world.ts'

export const password = 'correct horse battery staple'

/** The header with which the console marks its requests. */
export const fromConsole = { 'x-tessera-console': '1' }

export const whoAmI = '{ viewer { environment rights member { email } } }'

export const createMember = async (
  { runtime, partner }: World,
  role: MemberRole = 'OWNER',
  partnerId = partner.partnerId,
) => {
  const id = randomUUID()
  const email = `${id}@example.com`
  const passwordHash = await hashPassword(password)
  await runtime.db.member.create({ data: { id, partnerId, email, passwordHash, role } })
  return { id, email }
}

/** The cookie that an answer sets, as a browser sends it back. */
export const cookieIn = ({ headers }: { headers: Headers }): string =>
  headers.getSetCookie()[0]?.split(';')[0] ?? ''

export const signIn = (
  { call }: World,
  input: unknown,
  headers: Record<string, string> = fromConsole,
) => call('POST', '/console/session', { headers, body: input })

/** Signs a new member in; returns their address and the cookie. */
export const openSession = async (world: World, role?: MemberRole, partnerId?: string) => {
  const member = await createMember(world, role, partnerId)
  const answer = await signIn(world, { email: member.email, password })
  if (answer.status !== 200) throw new Error(answer.text)
  return { ...member, cookie: cookieIn(answer) }
}

/** Sends a GraphQL request with a cookie, as the console does unless `headers` differ. */
export const ask = async (
  { call }: World,
  cookie: string,
  headers: Record<string, string> = fromConsole,
  query = whoAmI,
) => {
  const { status, body } = await call('POST', '/graphql', {
    headers: { cookie, ...headers },
    body: { query },
  })
  const code: string | undefined = body.errors?.[0].extensions.code
  return { status, code, data: body.data }
}
