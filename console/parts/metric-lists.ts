/** The metrics of a program and of the whole service: their names, and how they are drawn. */
import { metricsTexts as texts } from '../texts/metrics-texts.ts'
import type { Figure, MetricChart } from './metrics.tsx'

export const figures = {
  activeUsers: { metric: 'ACTIVE_USERS', label: texts.activeUsers, isMean: true },
  newUsers: { metric: 'NEW_USERS', label: texts.newUsers },
  pointsIssued: { metric: 'POINTS_ISSUED', label: texts.pointsIssued },
  pointsSpent: { metric: 'POINTS_SPENT', label: texts.pointsSpent },
  plays: { metric: 'PLAYS', label: texts.plays },
  requests: { metric: 'API_REQUESTS', label: texts.requests },
} as const satisfies Record<string, Figure>

export const charts = {
  users: {
    label: texts.usersChart,
    kind: 'area',
    lines: [
      { metric: 'ACTIVE_USERS', name: texts.activeUsersLine, color: 'blue.6' },
      { metric: 'NEW_USERS', name: texts.newUsers, color: 'teal.6' },
    ],
  },
  requests: {
    label: texts.requestsChart,
    kind: 'area',
    lines: [
      { metric: 'API_REQUESTS', name: texts.requests, color: 'blue.6' },
      { metric: 'API_ERRORS', name: texts.failedRequests, color: 'red.6' },
      { metric: 'WEBHOOK_ATTEMPTS', name: texts.attempts, color: 'grape.6' },
    ],
  },
  points: {
    label: texts.pointsChart,
    kind: 'area',
    lines: [
      { metric: 'POINTS_ISSUED', name: texts.pointsIssued, color: 'ember.6' },
      { metric: 'POINTS_SPENT', name: texts.pointsSpent, color: 'grape.6' },
    ],
  },
  plays: {
    label: texts.playsChart,
    kind: 'bar',
    lines: [{ metric: 'PLAYS', name: texts.plays, color: 'ember.5' }],
  },
} as const satisfies Record<string, MetricChart>
