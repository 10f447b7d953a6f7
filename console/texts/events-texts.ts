export const eventsTexts = {
  title: 'Events',
  description: 'What happens, as webhooks deliver it. Events are kept for at least 30 days.',
  filter: 'All events. Choose some, or groups such as points.*',
  filterLabel: 'Which events',
  time: 'Time',
  event: 'Event',
  content: 'Content',
  details: 'Details',
  detailsOf: (event: string) => `Details of ${event}`,
  liveHint: 'New events appear at the top as they happen.',
  pause: 'Pause',
  resume: 'Resume',
  paused: (count: string) =>
    count === '1' ? 'Paused, 1 new event' : `Paused, ${count} new events`,
  empty:
    'Nothing has happened in this environment yet. Award points with a key, or send a test to a webhook.',
  toKeys: 'Go to the API keys',
  noSuchEvent: 'This event is no longer kept.',
  id: 'Id',
  payload: 'Content of the event',
  json: 'As webhooks carry it',
} as const
