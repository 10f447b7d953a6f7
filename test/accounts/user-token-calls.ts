/** Calls with tokens of users, for an application whose settings a test chooses. */
import { SignJWT } from 'jose'
import { createApiKey } from '../../src/accounts/api-key.ts'
import type { World } from '../world.ts'

type Claims = {
  sub?: string
  aud?: string
  iat?: number
  exp?: number
  iss?: string
  scope?: string
  nbf?: number
}

/** A part of a token, as text. */
export const partOf = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The claims of a token, unchecked. */
export const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

export const tokenCalls = (world: World) => {
  const { runtime, partner, tenant } = world
  const audience = `tessera:test:${partner.partnerId}`
  const seconds = () => Math.floor(runtime.clock().getTime() / 1000)
  const of = (token: string) => ({ 'x-user-token': token })
  return {
    audience,
    /** A new public key, which no node has cached, so that it sees the current state of the application. */
    freshKey: async (of = tenant) => {
      const { applicationId } = partner
      return (await createApiKey(runtime, { ...of, applicationId, kind: 'PUBLIC' })).key
    },
    /** Changes the application as a member does. Returns the application or the error. */
    setUp: async (input: object) => {
      const { body } = await world.graphql(
        `mutation ($input: UpdateApplicationInput!) { updateApplication(input: $input) {
          ... on UpdateApplicationPayload { application { userTokenPolicy userTokenSigner { jwksUrl jwks } } }
          ... on ValidationError { errors { path message } } } }`,
        { input: { applicationId: partner.applicationId, ...input } },
        { bearer: await world.signInAs('OWNER') },
      )
      return body.data?.updateApplication ?? body
    },
    /** Mints a token for a user, as a backend does. */
    mint: async (userId: string, body: object = {}, secret = world.keys.secret) => {
      const path = `/v1/users/${encodeURIComponent(userId)}/token`
      const answer = await world.post(path, secret, body)
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.body.data as {
        token: string
        userId: string
        scopes: string[]
        expiresAt: string
      }
    },
    balance: (userId: string, key: string, token?: string) =>
      world.get(`/v1/users/${userId}/sdk-balance`, key, token === undefined ? {} : of(token)),
    play: (userId: string, key: string, token?: string, headers = {}) =>
      world.post(
        '/v1/games/play',
        key,
        { userId, gameType: 'NEON_WHEEL' },
        { ...(token !== undefined && of(token)), ...headers },
      ),
    asUser: (query: string, key: string, token?: string) =>
      world.call('POST', '/graphql', {
        headers: { 'x-api-key': key, ...(token !== undefined && of(token)) },
        body: { query },
      }),
    /** A token as a partner signs it; `claims` change what it says. */
    sign: (
      key: Parameters<SignJWT['sign']>[0],
      header: { alg: string; kid?: string },
      claims: Claims = {},
    ) =>
      new SignJWT({
        sub: 'ann',
        aud: audience,
        iat: seconds(),
        exp: seconds() + 60,
        ...claims,
      })
        .setProtectedHeader(header)
        .sign(key),
  }
}
