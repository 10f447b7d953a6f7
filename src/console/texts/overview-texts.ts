export const overviewTexts = {
  title: 'Overview',
  description: 'How your programme is doing.',
  feed: 'Live events',
  feedHint: 'New events appear here as they happen.',
  allEvents: 'All events',
} as const
