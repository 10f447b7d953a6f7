/** Tries a call with a credential and returns the outcome. */
import { setTimeout as sleep } from 'node:timers/promises'
import { errorTable } from '../../src/kit/errors.ts'
import type { World } from '../world.ts'
import type { Call } from './calls.ts'

export type Headers = Record<string, string>
export type Outcome = {
  code: string | undefined
  /** Whether the result is null. */
  isNull: boolean
  text: string
}

/** A stream that sends nothing for this long, and not before the next answer, counts as open. */
const silentMs = 500

/** The first message of a stream, as JSON; undefined when none came. */
const firstOf = async (base: string, body: object, headers: Headers) => {
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify(body),
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const read = async () => {
    while (reader && !/^data: .*\n/m.test(text)) {
      const { done, value } = await reader.read()
      if (done) return
      text += value
    }
  }
  await Promise.race([read(), sleep(silentMs).then(() => fetch(`${base}/livez`))])
  await reader?.cancel()
  const [, data] = /^data: (.+)$/m.exec(text) ?? []
  return data === undefined ? undefined : JSON.parse(data)
}

export const tryCall = async (world: World, call: Call, headers: Headers): Promise<Outcome> => {
  if (call.face === 'REST') {
    const { route, path, body } = call
    const answer = await world.call(route.method, path, { headers, ...(body && { body }) })
    return { code: answer.body.errorCode, isNull: false, text: answer.text }
  }
  const { document: query, variables, kind } = call
  const body =
    kind === 'subscription'
      ? await firstOf(world.base, { query, variables }, headers)
      : (await world.call('POST', '/graphql', { headers, body: { query, variables } })).body
  // Errors deeper in the answer are not refusals by the root field.
  const error = body?.errors?.find(({ path = [] }: { path?: string[] }) => path.length <= 1)
  const result = body?.data?.result
  const code = error ? (error.extensions?.code ?? 'UNKNOWN') : result?.code
  return { code, isNull: result === null, text: JSON.stringify(body ?? null) }
}

/** Errors about submitted sign-in data, not about the credentials of the request. */
const ofSignIn = [
  'INVALID_CREDENTIALS',
  'INVALID_SECOND_FACTOR',
  'INVALID_REFRESH_TOKEN',
  'ACCOUNT_LOCKED',
  'RATE_LIMITED',
]

const statusOf = (code: string) => errorTable[code as keyof typeof errorTable]?.status

/** The status of a refusal: 401 or 403; undefined if the caller was admitted. */
export const refusalOf = ({ code = '' }: Outcome): number | undefined => {
  const status = statusOf(code)
  return status !== undefined && [401, 403].includes(status) && !ofSignIn.includes(code)
    ? status
    : undefined
}

/** Whether the answer says that the object does not exist. */
export const isNothing = ({ code = '', isNull }: Outcome): boolean =>
  isNull || /_NOT_FOUND$|_UNKNOWN$|_NOT_ACTIVE$|^INVALID_(WIN_|REFERRAL_)?CODE$/.test(code)
