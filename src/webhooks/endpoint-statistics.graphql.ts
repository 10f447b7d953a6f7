/** The statistics of a webhook endpoint. */
import { statisticsOf } from '../statistics/entity-statistics.graphql.ts'
import { WebhookEndpointRef } from './endpoint.graphql.ts'

statisticsOf(WebhookEndpointRef, {
  dimension: 'ENDPOINT',
  metrics: ['WEBHOOK_ATTEMPTS', 'WEBHOOK_ATTEMPT_MS'],
  keyOf: ({ id }) => id,
})
