/** What a person sees at an address that does not exist. Programs get the answer of the API. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageLanguage } from '../generated/prisma/enums.ts'
import { campaignCsp } from './campaign-page.ts'
import { campaignNoticePage } from './campaign-view.ts'
import { filled, html } from './html.ts'
import { pageHeaders } from './page.ts'
import { noticesIn } from './texts/notices.ts'
import { languageOf } from './texts/page-language.ts'

const apiPaths = /^\/(v1|dashboard|admin|graphql|sdk)(\/|\?|$)/

/** Whether a browser has opened an address outside the API. */
export const isOfPerson = ({ method, url, headers: { accept } }: FastifyRequest): boolean =>
  method === 'GET' && accept?.includes('text/html') === true && !apiPaths.test(url)

const pageIn = (language: PageLanguage): string => {
  const { noPage, start, documentation } = noticesIn(language)
  const links = {
    start: html`<a href="/">${start}</a>`,
    documentation: html`<a href="/docs">${documentation}</a>`,
  }
  const [title, text] = noPage
  return campaignNoticePage(title, filled(text, links), 404, language)
}

const pages: Record<PageLanguage, string> = { EN: pageIn('EN'), DE: pageIn('DE') }

export const sendNotFoundPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  request.answeredError = 'ROUTE_NOT_FOUND'
  return reply.code(404).headers(pageHeaders(campaignCsp)).send(pages[languageOf(request)])
}
