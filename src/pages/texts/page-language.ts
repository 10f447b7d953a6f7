/** The language of pages that belong to no brand: that of the visitor. */
import type { FastifyRequest } from 'fastify'
import type { PageLanguage } from '../../generated/prisma/enums.ts'

/** Languages by the first part of their tags. */
const languages = new Map<string, PageLanguage>([
  ['en', 'EN'],
  ['de', 'DE'],
])

/** The language of pages that a browser prefers; English unless it names another one. */
export const languageOf = ({ headers }: Pick<FastifyRequest, 'headers'>): PageLanguage => {
  const wanted = (headers['accept-language'] ?? '').split(',').map((item) => {
    const [tag = '', ...parameters] = item.trim().toLowerCase().split(';')
    const quality = parameters.map((text) => text.trim()).find((text) => text.startsWith('q='))
    return {
      language: languages.get(tag.split('-')[0] ?? ''),
      quality: Number(quality?.slice(2) ?? 1),
    }
  })
  // Of equal ones, the first.
  const [first] = wanted
    .filter(({ language, quality }) => language && quality > 0)
    .sort((first, other) => other.quality - first.quality)
  return first?.language ?? 'EN'
}
