/** `/.well-known/security.txt`: where to report vulnerabilities (RFC 9116). */
import type { FastifyInstance } from 'fastify'
import { TesseraError } from '../kit/errors.ts'
import type { Runtime } from '../kit/runtime.ts'

const path = '/.well-known/security.txt'

/** The RFC recommends less than a year. */
const validMs = 180 * 24 * 3600 * 1000

/** Answers 404 unless SECURITY_CONTACT is set. */
export const mountSecurityTxt = (
  app: FastifyInstance,
  { clock, config: { securityContact, publicUrl } }: Pick<Runtime, 'clock' | 'config'>,
): void => {
  app.get(path, (_, reply) => {
    if (!securityContact) throw new TesseraError('ROUTE_NOT_FOUND')
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${new Date(clock().getTime() + validMs).toISOString()}`,
      'Preferred-Languages: en',
      // Only https is allowed here.
      ...(publicUrl.startsWith('https:') ? [`Canonical: ${publicUrl}${path}`] : []),
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}
