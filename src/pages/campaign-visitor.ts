/**
 * Identifies visitors of a campaign page. A partner links to it with a token of the user; a cookie keeps the token, so
 * that nobody passes it on with the URL of the page.
 */
import type { FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import type { Config } from '../core/config.ts'
import type { Environment } from '../generated/prisma/enums.ts'

/** A user, as their token says. The mutation checks it, the page does not. */
export type Visitor = { userId: string; token: string }

const format = /^[\w-]+\.[\w-]+\.[\w-]+$/
/** Browsers reject larger cookies, counting their names and attributes. */
const longestToken = 3_500

const nameOf = (environment: Environment) => `tessera-visitor-${environment.toLowerCase()}`

/** `Set-Cookie` for a token on the page of this path; undefined if it is not a token or too long. */
export const visitorCookie = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { path, environment, token }: { path: string; environment: Environment; token: string },
): string | undefined =>
  format.test(token) && token.length <= longestToken
    ? `${nameOf(environment)}=${token}; Path=${path}; HttpOnly; SameSite=Lax${publicUrl.startsWith('https:') ? '; Secure' : ''}`
    : undefined

/** The visitor by the cookie of a request; undefined without a cookie or if its token is invalid or has expired. */
export const visitorOf = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  environment: Environment,
  now: Date,
): Visitor | undefined => {
  const start = `${nameOf(environment)}=`
  const cookies = (headers.cookie ?? '').split(';').map((one) => one.trim())
  const token = cookies.find((one) => one.startsWith(start))?.slice(start.length)
  if (!token) return undefined
  try {
    const { sub, exp = 0 } = decodeJwt(token)
    return sub && exp * 1000 > now.getTime() ? { userId: sub, token } : undefined
  } catch {
    return undefined
  }
}
