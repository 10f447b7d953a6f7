import { eventType } from '../kit/schema/event-data.ts'
import { webhookTested } from './webhook.events.ts'

eventType(webhookTested, 'WebhookTestedEvent', (t) => ({
  endpointId: t.expose('endpointId', { type: 'UUID', description: 'UUID of the endpoint.' }),
  message: t.exposeString('message'),
}))
