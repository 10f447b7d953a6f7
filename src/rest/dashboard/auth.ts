import { z } from 'zod'
import { answer, route } from '../route.ts'
import { member, memberAddress, memberAnswer } from './members.ts'

const tokens = 'tokens { accessToken expiresIn: expiresInSeconds refreshToken }'

const bearer = answer(
  z
    .object({
      accessToken: z.string().describe('For `Authorization: Bearer …`.'),
      tokenType: z.string().describe('Always `Bearer`.'),
      expiresIn: z
        .int()
        .meta({ format: 'int32' })
        .describe('Seconds until the access token expires.'),
      refreshToken: z.string().describe('Exchange it for new tokens, once, within 30 days.'),
    })
    .meta({ title: 'Tokens', about: 'Tokens of a sign-in.' }),
  ({ tokens: { accessToken, expiresIn, refreshToken } }) => ({
    accessToken,
    tokenType: 'Bearer',
    expiresIn,
    refreshToken,
  }),
)

/** There is nothing to say of a sign-in that has ended. */
const signedOut = answer(
  z
    .object({ signedOut: z.boolean().describe('Always true.') })
    .meta({ title: 'SignOutPayload', about: 'What the request changed.' }),
  () => ({ signedOut: true }),
)

export const auth = [
  route('POST /dashboard/auth/login', {
    key: 'anyone',
    summary: 'Sign in to the dashboard',
    operation: `mutation ($input: SignInInput!) {
      result: signIn(input: $input) { ... on SignInPayload { ${tokens} } ...Problem }
    }`,
    answer: bearer,
    message: 'Signed in successfully',
  }),
  route('POST /dashboard/auth/refresh', {
    key: 'anyone',
    summary: 'Exchange a refresh token for new tokens',
    operation: `mutation ($input: RefreshTokensInput!) {
      result: refreshTokens(input: $input) { ... on RefreshTokensPayload { ${tokens} } ...Problem }
    }`,
    answer: bearer,
    message: 'Tokens refreshed successfully',
    errors: ['WRONG_CELL'],
  }),
  route('POST /dashboard/auth/logout', {
    key: 'member',
    summary: 'Sign out',
    operation: `mutation { result: signOut { ... on SignOutPayload { signIn @flatten { uuid } } } }`,
    answer: signedOut,
    message: 'Signed out successfully',
  }),
  route('GET /dashboard/auth/me', {
    key: 'member',
    summary: 'Show the signed-in member',
    operation: `query { viewer { result: member { ${member} } } }`,
    answer: memberAnswer,
    message: 'Member retrieved successfully',
    // If the member has just been deleted.
    notFound: 'INVALID_BEARER_TOKEN',
  }),
  route('POST /dashboard/auth/password', {
    key: 'member',
    summary: "Change the caller's own password",
    operation: `mutation ($input: ChangePasswordInput!) {
      result: changePassword(input: $input) { 
        ... on ChangePasswordPayload { member @flatten { ${memberAddress} } }
        ...Problem
      }
    }`,
    message: 'Password changed successfully',
  }),
]
