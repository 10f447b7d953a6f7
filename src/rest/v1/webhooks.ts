import { webhookRoutes } from '../webhook-routes.ts'

export const webhooks = webhookRoutes('/v1', 'secret')
