/** The documented envelope, around results and around errors. */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, errorTable, type TesseraError } from '../kit/errors.ts'
import { isUnknown } from '../kit/http/error-mapping.ts'
import { endWithJson } from '../kit/http/http-parts.ts'

const wantsProblemJson = (accept: string | undefined) =>
  accept?.includes('application/problem+json') ?? false

/** Answers with an error: the envelope, or RFC 9457 when the caller accepts that. */
export const sendError = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: TesseraError,
): FastifyReply => {
  const { code, status, message, errors, retryAfter, cell, hint } = error
  request.answeredError = isUnknown(error) ? null : code
  reply.code(status).headers({ 'x-request-id': request.id, 'cache-control': 'no-store' })
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  const more = {
    errorCode: code,
    requestId: request.id,
    ...(errors && { errors }),
    ...(cell !== undefined && { cell }),
    ...(hint !== undefined && { hint }),
  }
  return wantsProblemJson(request.headers.accept)
    ? reply
        .type('application/problem+json')
        .send(JSON.stringify({ type: 'about:blank', title: message, status, ...more }))
    : reply
        .type('application/json; charset=utf-8')
        .send({ message, code: status, status: 'error', ...more })
}

/** Errors for invalid HTTP, by the code of the parser. */
const clientFaults: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

const urlMessage = 'The URL must be UTF-8, with percent-encoding'

/** Answers in the same envelope, and closes the connection. */
const endWith = (socket: Duplex, code: ErrorCode, message: string = errorTable[code].message) => {
  const { status } = errorTable[code]
  endWithJson(socket, status, { message, code: status, status: 'error', errorCode: code })
}

/** Answers a connection without a readable request. */
export const answerClientError = (fault: { code?: string }, socket: Socket): void => {
  if (fault.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const code = clientFaults[fault.code ?? ''] ?? 'BAD_REQUEST'
  endWith(socket, code, fault.code === 'HPE_INVALID_URL' ? urlMessage : undefined)
}

/** Answers a request of the method CONNECT, which is for proxies. */
export const refuseTunnel = (socket: Duplex): void => endWith(socket, 'ROUTE_NOT_FOUND')
