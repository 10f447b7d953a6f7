import { webhookRoutes } from '../webhook-routes.ts'

export const dashboardWebhooks = webhookRoutes('/dashboard', 'member')
