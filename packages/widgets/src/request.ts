/** One request to the API. */
import { Problem } from './problem.ts'

/** The time limit of a request. It may then be sent again. */
const answerMs = 10_000

type Answer<T> = {
  data?: T | null
  errors?: readonly { message: string; extensions?: { code?: string } }[]
}

export type Request = {
  baseUrl: string
  headers: Record<string, string>
  document: string
  variables: Record<string, unknown>
}

const problemOf = (response: Response, answer: Answer<unknown>): Problem => {
  const error = answer.errors?.[0]
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  const code = error?.extensions?.code ?? 'BAD_ANSWER'
  return new Problem(code, error?.message ?? 'The answer has no data', response.status, retryAfter)
}

/**
 * Sends a document and returns the data.
 * @throws Problem NO_CONNECTION if there is no answer, or the code of the API
 */
export const request = async <T>({
  baseUrl,
  headers,
  document,
  variables,
}: Request): Promise<T> => {
  let response: Response
  let answer: Answer<T>
  try {
    response = await fetch(`${baseUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify({ query: document, variables }),
      credentials: 'omit',
      signal: AbortSignal.timeout(answerMs),
    })
    // HTML comes from a gateway, so the API has not answered.
    answer = (await response.json()) as Answer<T>
  } catch (cause) {
    throw new Problem('NO_CONNECTION', String(cause))
  }
  if (answer.errors?.[0] || !answer.data) throw problemOf(response, answer)
  return answer.data
}
