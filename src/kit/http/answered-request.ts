/** Requests to servers of partners whose answers are used. An event, by contrast, needs no answer but a status. */
import type { z } from 'zod'

/** A kind of request: its name, its data and the answer that is expected. Both schemas have a `title`, their name. */
export type AnsweredRequest<D extends z.ZodObject = z.ZodObject> = {
  /** Dotted, like the names of events: `arena.move_requested`. */
  type: string
  /** Half a line. */
  summary: string
  description: string
  /** The name of the whole body. */
  title: string
  data: D
  example: z.input<D>
  /** The time of the example. */
  sentAt: string
  answer: { description: string; schema: z.ZodObject; example: object }
}

const kinds: AnsweredRequest[] = []

/** Declares a kind of request, beside the code that sends it. */
export const defineAnsweredRequest = <D extends z.ZodObject>(
  kind: AnsweredRequest<D>,
): AnsweredRequest<D> => {
  kinds.push(kind as unknown as AnsweredRequest)
  return kind
}

/** Every kind of request. */
export const listAnsweredRequests = (): readonly AnsweredRequest[] => kinds
