export const rewardRulesTexts = {
  title: 'Reward rules',
  description: 'How many points users get for what they do.',
  eventType: 'Event type',
  eventTypeHint: 'As your servers send it, for example purchase.',
  points: 'Points',
  actions: 'Actions',
  changed: 'Changed',
  add: 'Add a rule',
  edit: 'Edit',
  editTitle: (eventType: string) => `Points for ${eventType}`,
  saved: 'The rule was saved. Awards from now on follow it.',
  delete: 'Delete',
  deleteExplanation:
    'Your servers can no longer award points for this event type. Earlier awards are kept.',
  deleted: 'The rule was deleted.',
  empty: 'There are no rules yet. Without a rule, awards of points are refused.',
  suggestions: ['signup', 'daily_login', 'purchase', 'review', 'referral', 'share'],
} as const
