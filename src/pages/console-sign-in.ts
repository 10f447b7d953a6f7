/**
 * Signing in to the console and out of it. The session is a cookie that no script can read
 * (docs/decisions/console-session-cookie.md). Everything else that the console does is GraphQL.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { MemberCaller } from '../kit/access/context.ts'
import { fieldTextOf } from '../kit/access/credentials.ts'
import { TesseraError } from '../kit/errors.ts'
import { cookieOf, endedCookie, isOfConsole, sessionOf } from '../kit/http/console-cookie.ts'
import type { Parts } from '../kit/http/http-parts.ts'
import { errorOfRefusal, problemFragment, type Refusal } from '../kit/schema/refusal.ts'
import { check } from '../kit/validation.ts'
import { prepareOperation } from './page.ts'

const signIn = `
  mutation ($input: SignInInput!) {
    result: signIn(input: $input) {
      ... on SignInPayload {
        tokens { accessToken }
        member { id uuid email role isOperator partner { id uuid slug name } }
      }
      ...Problem
    }
  }
  ${problemFragment}`

const signOut = 'mutation { result: signOut { __typename } }'

type SignedIn = { tokens: { accessToken: string }; member: Record<string, unknown> }

const headerOf = (request: FastifyRequest) => (name: string) => fieldTextOf(request.headers, name)

/** What accounts provide: the input of `signIn`, and the token of a session for a cookie. */
type SignInParts = { input: z.ZodType; tokenOf(caller: MemberCaller): string }

/** `POST` and `DELETE /console/session`, for the pages of the console alone. Errors are those of REST. */
export const mountConsoleSession = (
  app: FastifyInstance,
  parts: Parts,
  { input: inputOf, tokenOf }: SignInParts,
): void => {
  const { runtime, authenticate, limit } = parts
  const { config } = runtime
  const runSignIn = prepareOperation<{ result: SignedIn | Refusal }>(parts, signIn)
  const runSignOut = prepareOperation(parts, signOut)

  /** The member whose session it is; undefined if it has ended. */
  const memberOf = async (request: FastifyRequest) => {
    const session = sessionOf(request.headers, config)
    if (session === undefined) return undefined
    return authenticate.session(session, 'LIVE').catch((error) => {
      if (error instanceof TesseraError) return undefined
      throw error
    })
  }

  app.register(
    async (scope) => {
      scope.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store')
        await limit(request, reply, null)
        // No other page may sign anybody in or out.
        if (!isOfConsole(request.headers, config))
          throw new TesseraError('BAD_REQUEST', { message: 'Only the console may send this' })
      })

      scope.post('', { bodyLimit: 16 * 1024 }, async (request, reply) => {
        const input = check(inputOf, request.body ?? {})
        const { result } = await runSignIn(request, { input }, { header: headerOf(request) })
        if ('problem' in result) throw errorOfRefusal(result)
        const caller = await authenticate.member(result.tokens.accessToken, 'LIVE')
        reply.header('set-cookie', cookieOf(config, tokenOf(caller)))
        return { status: 'success', data: result.member }
      })

      scope.delete('', async (request, reply) => {
        const member = await memberOf(request)
        const more = { header: headerOf(request) }
        if (member) await runSignOut(request, {}, { ...more, callers: { member } })
        reply.header('set-cookie', endedCookie(config))
        return { status: 'success', data: { signedOut: true } }
      })
    },
    { prefix: '/console/session' },
  )
}
