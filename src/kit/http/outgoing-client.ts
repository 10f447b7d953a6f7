/** Requests to addresses that callers name: only public ones unless the server allows others, and without redirects. */
import type { Agent, Dispatcher, request } from 'undici'
import type { Config } from '../config/config.ts'
import { lookupPublic, refuseForbiddenUrl } from '../security/address.ts'

type RequestOptions = NonNullable<Parameters<typeof request>[1]>

export type OutgoingClient = {
  /** @throws ForbiddenAddressError, and the errors of undici */
  request(
    url: string,
    options: Omit<RequestOptions, 'dispatcher'>,
  ): Promise<Dispatcher.ResponseData<unknown>>
  close(): Promise<void>
}

/** @param options the limits of its connections; `connectMs` is the time limit for opening one */
export const createOutgoingClient = (
  { webhookAllowPrivate }: Pick<Config, 'webhookAllowPrivate'>,
  {
    connectMs,
    ...options
  }: { connectMs: number } & Pick<Agent.Options, 'keepAliveTimeout' | 'maxResponseSize'>,
): OutgoingClient => {
  // Loaded with the first request, because a start needs none.
  const open = async () => {
    const { Agent, request } = await import('undici')
    const agent = new Agent({
      connect: { timeout: connectMs, ...(!webhookAllowPrivate && { lookup: lookupPublic }) },
      pipelining: 1,
      maxHeaderSize: 16 * 1024,
      ...options,
    })
    return { agent, request }
  }
  let opened: ReturnType<typeof open> | undefined
  return {
    request: async (text, options) => {
      const url = new URL(text)
      if (!webhookAllowPrivate) refuseForbiddenUrl(url)
      opened ??= open()
      const { agent, request } = await opened
      return request(url, { ...options, dispatcher: agent })
    },
    close: async () => {
      await (await opened)?.agent.destroy()
    },
  }
}
