export const metricsTexts = {
  activeUsers: 'Average daily active users',
  newUsers: 'New users',
  pointsIssued: 'Points issued',
  pointsSpent: 'Points spent',
  plays: 'Plays',
  requests: 'API requests',
  failedRequests: 'Failed requests',
  attempts: 'Webhook attempts',
  usersChart: 'Users by day',
  pointsChart: 'Points by day',
  playsChart: 'Plays by day',
  requestsChart: 'Requests and webhooks by day',
} as const
