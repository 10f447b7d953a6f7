/** The data that the server put into the page, and queries besides the subscriptions. */

/** The data of the first paint, and how many milliseconds the clock of the server is ahead of this one. */
export const readPageData = <T extends { now: number }>(): { data: T; ahead: number } => {
  const data = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as T
  return { data, ahead: data.now - Date.now() }
}

/** Runs a query; null if it fails. */
export const ask = async <T>(query: string, variables = {}): Promise<T | null> => {
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(10_000),
    })
    const { data, errors } = (await response.json()) as { data?: T; errors?: unknown }
    return errors ? null : (data ?? null)
  } catch {
    return null
  }
}
