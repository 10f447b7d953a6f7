export const rewardRulesTexts = {
  title: 'Reward rules',
  description: 'How many points users earn for what they do.',
  eventType: 'Event type',
  eventTypeHint: 'As your servers send it, for example purchase.',
  points: 'Points',
  actions: 'Actions',
  changed: 'Changed',
  add: 'Add a rule',
  edit: 'Edit',
  editTitle: (eventType: string) => `Points for ${eventType}`,
  saved: 'Rule saved. It applies from now on.',
  delete: 'Delete',
  deleteExplanation:
    'Your servers can no longer award points for this event type. Earlier awards are kept.',
  deleted: 'Rule deleted.',
  empty: 'No rules yet. Points can be awarded only for event types that have a rule.',
  suggestions: ['signup', 'daily_login', 'purchase', 'review', 'referral', 'share'],
} as const
