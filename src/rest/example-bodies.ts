/** Bodies of routes whose fields exclude each other, or that are clearer with few fields. */
export const exampleBodies: Record<string, unknown> = {
  'POST /v1/users/{userId}/token': { ttlSeconds: 900 },
  'POST /v1/users/{userId}/grants': { reward: 'welcome-bonus', reference: 'ticket-815' },
  'POST /v1/points/award/batch': {
    awards: [
      { userId: 'alice', eventType: 'purchase', reference: 'order-1042' },
      { userId: 'ben', eventType: 'purchase', reference: 'order-1043' },
    ],
  },
  'POST /v1/campaigns/{slug}/events': {
    userId: 'alice',
    eventType: 'purchase',
    metadata: { orderId: 'order-1042' },
  },
  'POST /v1/campaigns/codes/generate': {
    slug: 'summer-sale',
    batchSize: 100,
    pointsValue: 100,
    label: 'Flyer',
  },
  'POST /v1/lotteries/entries': {
    email: 'alice@example.com',
    lotterySlug: 'weekly-draw',
    userId: 'alice',
    lines: [{ main: [3, 9, 17, 24, 33, 41], bonus: [7] }],
  },
  'POST /v1/user-journeys/events': {
    externalId: 'alice',
    category: 'CUSTOM',
    eventType: 'level_up',
    metadata: { level: 3 },
  },
  'POST /v1/user-journeys/track': {
    events: [
      { externalId: 'alice', category: 'PAGE_VIEW', eventType: 'checkout', reference: 'view-1' },
      { externalId: 'ben', category: 'CUSTOM', eventType: 'level_up', reference: 'level-3-ben' },
    ],
  },
  'POST /v1/user-journeys/users/{externalId}/offers': {
    offerType: 'welcome_bonus',
    title: 'Welcome!',
    pointsValue: 100,
  },
  'POST /v1/arena/games/{gameId}/sessions': { userId: 'alice' },
  'POST /v1/arena/games/sessions/{sessionId}/result': {
    winnerId: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c01',
    scores: { '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c01': 10 },
    resultsJson: '{"seconds":182}',
  },
  'POST /v1/arena/games/sessions/{sessionId}/join': { userId: 'ben' },
  'POST /v1/arena/games/sessions/{sessionId}/leave': { userId: 'ben' },
  'POST /v1/webhooks': { url: 'https://shop.example.com/hooks/tessera', events: ['points.*'] },
  'PATCH /v1/webhooks/{endpointId}': { events: ['points.*', 'game.played'] },
  'POST /v1/webhooks/{endpointId}/replay': {
    from: '2026-11-21T00:00:00.000Z',
    to: '2026-11-22T00:00:00.000Z',
    failedOnly: true,
  },
  'POST /dashboard/auth/login': { email: 'you@example.com', password: 'correct horse battery' },
  'POST /dashboard/members': { email: 'ben@example.com', password: 'correct horse battery' },
  'PATCH /dashboard/members/{memberId}': { password: 'a longer horse battery' },
  'PATCH /dashboard/arena-games/{gameId}': { rules: 'Collect stars, avoid meteors.', entryFee: 50 },
  'POST /dashboard/arena-agents': {
    name: 'mira',
    displayName: 'Mira',
    provider: 'BUILTIN',
    modelId: 'minimax',
  },
  'PATCH /dashboard/arena-agents/{agentId}': { displayName: 'Mira', isPublic: true },
  'POST /dashboard/webhooks': {
    url: 'https://shop.example.com/hooks/tessera',
    events: ['points.*'],
  },
  'PATCH /dashboard/webhooks/{endpointId}': { events: ['points.*', 'game.played'] },
  'POST /dashboard/webhooks/{endpointId}/replay': {
    from: '2026-11-21T00:00:00.000Z',
    to: '2026-11-22T00:00:00.000Z',
    failedOnly: true,
  },
  'POST /dashboard/arena-matches': {
    agent1Id: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c01',
    agent2Id: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c07',
    gameType: 'TIC_TAC_TOE',
    bestOf: 3,
  },
  'POST /admin/partners': { name: 'Acme', slug: 'acme' },
}
