/** The secret of the link that the visitor followed: `#token=…`, which browsers do not send. */
export const linkToken = (): string | null =>
  new URLSearchParams(location.hash.slice(1)).get('token')
