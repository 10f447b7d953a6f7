/** Negotiates the media type of an answer by the `Accept` header. */

const responseType = 'application/graphql-response+json'
const plainType = 'application/json'
export const streamType = 'text/event-stream'

export type MediaType = typeof responseType | typeof plainType | typeof streamType

/** The first is the default for clients that accept anything. */
const offered: readonly MediaType[] = [plainType, responseType, streamType]

type Range = { type: string; quality: number }

const rangeOf = (text: string): Range => {
  const [type = '', ...parameters] = text
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  return { type, quality: quality ? Number(quality.slice(2)) : 1 }
}

const covers = (range: string, type: string) =>
  range === type || range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))

/**
 * The type that a client prefers; among equals, the one it names first. Null when it accepts none of ours.
 */
export const mediaTypeFor = (accept: string | undefined): MediaType | null => {
  if (!accept || accept === '*/*') return plainType
  if (accept === plainType || accept === responseType || accept === streamType) return accept
  const ranges = accept.split(',').map(rangeOf)
  const refused = new Set(ranges.filter(({ quality }) => quality === 0).map(({ type }) => type))
  for (const range of ranges.sort((a, b) => b.quality - a.quality)) {
    if (!(range.quality > 0)) continue
    const found = offered.find((type) => covers(range.type, type) && !refused.has(type))
    if (found) return found
  }
  return null
}

/** The type of an error before execution: JSON, whatever the client accepts. */
export const errorTypeFor = (accept: string | undefined): MediaType =>
  mediaTypeFor(accept) === responseType ? responseType : plainType
