/** Webhook routes under two prefixes, for secret keys and for members. */
import type { Access } from '../kit/access/context.ts'
import { named } from './codecs.ts'
import { fragment, mutationOf, type Route, route } from './route.ts'

const endpoint = `id: uuid url events: eventNames description status disabledReason: disabledMessage failingSince
  previousSecretUntil: previousSecretExpiresAt createdAt updatedAt`

const delivery = `id: uuid event @flatten { eventId: uuid event: name }
  endpoint @flatten { endpointId: uuid } status attempts: attemptCount nextAttemptAt responseStatus
  createdAt: eventOccurredAt finishedAt`

const deletedEndpoint = fragment('DeletedWebhookEndpoint on WebhookEndpoint', 'id: uuid')

const detailedDelivery = fragment(
  'WebhookDeliveryDetails on WebhookDelivery',
  `${delivery} attemptLog: attempts { number startedAt durationMs responseStatus responseBody error }`,
)

const endpointForm = { webhookEndpointId: named('endpointId') }
const eventsForm = { eventNames: named('events') }

type Prefix = '/v1' | '/dashboard'

export const webhookRoutes = (prefix: Prefix, key: Access): Route[] => [
  ...endpointRoutes(prefix, key),
  ...actionRoutes(prefix, key),
  ...deliveryRoutes(prefix, key),
]

const endpointRoutes = (prefix: Prefix, key: Access) => [
  route(`POST ${prefix}/webhooks`, {
    key,
    summary: 'Create a webhook endpoint; its secret is shown only here',
    operation: mutationOf(
      'createWebhookEndpoint',
      `webhookEndpoint @flatten { ${endpoint} } secret`,
    ),
    forms: eventsForm,
    message: 'Webhook endpoint created successfully',
  }),
  route(`GET ${prefix}/webhooks`, {
    key,
    summary: 'List webhook endpoints, oldest first',
    operation: `query ($page: String, $limit: Int) {
      result: webhookEndpoints(first: $limit, after: $page) {
        data: nodes { ${endpoint} }
        totalCount { value }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Webhook endpoints retrieved successfully',
    list: true,
  }),
  route(`GET ${prefix}/webhooks/{endpointId}`, {
    key,
    summary: 'Show a webhook endpoint',
    operation: `query ($endpointId: ID!) {
      result: webhookEndpoint(id: $endpointId) { ${endpoint} }
    }`,
    message: 'Webhook endpoint retrieved successfully',
    notFound: 'WEBHOOK_NOT_FOUND',
    errors: ['WEBHOOK_NOT_FOUND'],
  }),
  route(`PATCH ${prefix}/webhooks/{endpointId}`, {
    key,
    summary: 'Change, disable or activate a webhook endpoint',
    operation: mutationOf('updateWebhookEndpoint', `webhookEndpoint @flatten { ${endpoint} }`),
    forms: { ...endpointForm, ...eventsForm },
    message: 'Webhook endpoint updated successfully',
    notFound: 'WEBHOOK_NOT_FOUND',
  }),
  route(`DELETE ${prefix}/webhooks/{endpointId}`, {
    key,
    summary: 'Delete a webhook endpoint and its deliveries',
    operation: mutationOf(
      'deleteWebhookEndpoint',
      `webhookEndpoint @flatten { ${deletedEndpoint} }`,
    ),
    forms: endpointForm,
    message: 'Webhook endpoint deleted successfully',
    notFound: 'WEBHOOK_NOT_FOUND',
  }),
]

const actionRoutes = (prefix: Prefix, key: Access) => [
  route(`POST ${prefix}/webhooks/{endpointId}/rotate-secret`, {
    key,
    summary: 'Rotate the secret; the previous one also signs for 24 hours',
    operation: mutationOf('rotateWebhookSecret', `webhookEndpoint @flatten { ${endpoint} } secret`),
    forms: endpointForm,
    message: 'Webhook secret rotated successfully',
    notFound: 'WEBHOOK_NOT_FOUND',
  }),
  route(`POST ${prefix}/webhooks/{endpointId}/test`, {
    key,
    summary: 'Send a test event to a webhook endpoint',
    operation: mutationOf('sendTestWebhook', `webhookDelivery @flatten { ${delivery} }`),
    forms: endpointForm,
    message: 'Test event queued successfully',
    notFound: 'WEBHOOK_NOT_FOUND',
  }),
  route(`POST ${prefix}/webhooks/{endpointId}/replay`, {
    key,
    summary: 'Resend the events of a period, 10,000 at most',
    operation: `mutation ($input: ReplayWebhookEventsInput!) {
      result: replayWebhookEvents(input: $input) {
        ... on ReplayWebhookEventsPayload {
          queued: queuedCount
          continueAfter @flatten { nextAfter: uuid }
        }
        ...Problem
      }
    }`,
    forms: { ...endpointForm, afterEventId: named('after') },
    message: 'Events queued successfully',
    notFound: 'WEBHOOK_NOT_FOUND',
  }),
]

const deliveryRoutes = (prefix: Prefix, key: Access) => [
  route(`GET ${prefix}/webhooks/deliveries`, {
    key,
    summary: 'List deliveries of the last 30 days, newest first',
    operation: `query ($endpointId: ID, $event: [String!] @single, $status: [WebhookDeliveryStatus!] @single,
        $from: DateTime, $to: DateTime, $page: String, $limit: Int) {
      result: webhookDeliveries(first: $limit, after: $page, filter: {
          webhookEndpointId: $endpointId, names: $event, statuses: $status,
          eventOccurredAt: { from: $from, to: $to } }) {
        data: nodes { ${delivery} }
        totalCount { value }
      }
    }`,
    paging: { meta: ['page', 'limit', 'total', 'totalPages'] },
    message: 'Webhook deliveries retrieved successfully',
    list: true,
  }),
  route(`GET ${prefix}/webhooks/deliveries/{deliveryId}`, {
    key,
    summary: 'Show a delivery with its attempts',
    operation: `query ($deliveryId: ID!) {
      result: webhookDelivery(id: $deliveryId) { ${detailedDelivery} }
    }`,
    message: 'Webhook delivery retrieved successfully',
    notFound: 'WEBHOOK_DELIVERY_NOT_FOUND',
    errors: ['WEBHOOK_DELIVERY_NOT_FOUND'],
  }),
  route(`POST ${prefix}/webhooks/deliveries/{deliveryId}/retry`, {
    key,
    summary: 'Resend a delivery',
    operation: mutationOf('retryWebhookDelivery', `webhookDelivery @flatten { ${delivery} }`),
    forms: { webhookDeliveryId: named('deliveryId') },
    message: 'Webhook delivery queued successfully',
    notFound: 'WEBHOOK_DELIVERY_NOT_FOUND',
  }),
]
