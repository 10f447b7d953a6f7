/** The events that Tessera sends, generated from the registry of the API. */
import type { components } from './generated/events.ts'

type Bodies = components['schemas']

/** The name of a kind of event, such as `points.awarded`. */
export type WebhookEventName = keyof Bodies

/** An event of one kind. */
export type WebhookEventOf<Name extends WebhookEventName> = Bodies[Name] & {
  /** The same on every attempt. Store it to handle each event once. */
  id: string
}

/**
 * An event: `event` is its name, `data` its contents, `timestamp` its time in ISO 8601. Switch on `event` to
 * narrow `data`. Later versions of the API may add event types, so ignore unknown ones.
 */
export type WebhookEvent = { [Name in WebhookEventName]: WebhookEventOf<Name> }[WebhookEventName]
