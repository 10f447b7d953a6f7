export const overviewTexts = {
  title: 'Overview',
  description: 'How your programme is doing.',
  nothingYet:
    'Nothing has happened in this environment yet. Four steps lead to a running programme.',
  feed: 'Live events',
  feedHint: 'New events appear here as they happen.',
  allEvents: 'All events',
} as const
