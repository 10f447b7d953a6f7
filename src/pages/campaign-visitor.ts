/**
 * Identifies visitors of a campaign page. A partner links to it with a token of the user; a cookie keeps the token, so
 * that nobody passes it on with the URL of the page. A link for another user changes nothing by itself: its token waits
 * in a second cookie until the visitor has agreed.
 */
import type { FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import type { Environment } from '../generated/prisma/enums.ts'
import type { Config } from '../kit/config/config.ts'

/** A user, as their token says. The mutation checks it, the page does not. */
export type Visitor = { userId: string; token: string }

/** `current`: for whom codes are redeemed. `next`: whom a link names, until the visitor agrees. */
export type VisitorRole = 'current' | 'next'

const format = /^[\w-]+\.[\w-]+\.[\w-]+$/
/** Browsers reject larger cookies, counting their names and attributes. */
const longestToken = 3_500

/** Whether a text may be kept in a cookie as a token. */
export const isToken = (text: string): boolean => format.test(text) && text.length <= longestToken

type CookieOf = { environment: Environment; role: VisitorRole }

const nameOf = ({ environment, role }: CookieOf) =>
  `tessera-visitor-${role === 'next' ? 'next-' : ''}${environment.toLowerCase()}`

/** `Set-Cookie` for a token on the page of this path; without a token it removes the cookie. */
export const visitorCookie = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { path, token, ...of }: CookieOf & { path: string; token?: string },
): string =>
  `${nameOf(of)}=${token ?? ''}; Path=${path};${token === undefined ? ' Max-Age=0;' : ''} HttpOnly; SameSite=Lax${publicUrl.startsWith('https:') ? '; Secure' : ''}`

/** The visitor by a token; undefined if it is invalid or has expired. */
export const readVisitor = (token: string, now: Date): Visitor | undefined => {
  try {
    const { sub, exp = 0 } = decodeJwt(token)
    const isValid = typeof sub === 'string' && sub !== '' && exp * 1000 > now.getTime()
    return isValid ? { userId: sub, token } : undefined
  } catch {
    return undefined
  }
}

/** The visitor by a cookie of a request; undefined without one or if its token is invalid or has expired. */
export const visitorOf = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  of: CookieOf,
  now: Date,
): Visitor | undefined => {
  const start = `${nameOf(of)}=`
  const cookies = (headers.cookie ?? '').split(';').map((item) => item.trim())
  const token = cookies.find((cooky) => cooky.startsWith(start))?.slice(start.length)
  return token ? readVisitor(token, now) : undefined
}
