/** What a person sees at an address that does not exist. Programs get the answer of the API. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { campaignCsp } from './campaign-page.ts'
import { campaignNoticePage } from './campaign-view.ts'
import { html } from './html.ts'
import { pageHeaders } from './page.ts'

const apiPaths = /^\/(v1|dashboard|admin|graphql|sdk)(\/|\?|$)/

/** Whether a browser has opened an address outside the API. */
export const isOfPerson = ({ method, url, headers: { accept } }: FastifyRequest): boolean =>
  method === 'GET' && accept?.includes('text/html') === true && !apiPaths.test(url)

const page = campaignNoticePage(
  'This page does not exist',
  html`The address may have a typing mistake, or the page has moved. Begin again at the <a href="/">start page</a>, or read the <a href="/docs">documentation</a>.`,
  404,
)

export const sendNotFoundPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  request.answeredError = 'ROUTE_NOT_FOUND'
  return reply.code(404).headers(pageHeaders(campaignCsp)).send(page)
}
