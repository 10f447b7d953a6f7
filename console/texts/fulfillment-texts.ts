export const fulfillmentTexts = {
  title: 'To hand out',
  description:
    'Items and codes that users have got and you have not handed out yet. A code is handed out by itself once its user has seen it.',
  status: 'Status',
  statuses: {
    ISSUED: 'To hand out',
    FAILED: 'Failed',
    FULFILLED: 'Handed out',
    CANCELLED: 'Cancelled',
  },
  kind: 'Items and codes',
  kinds: { ITEM: 'Items', CODE: 'Codes' },
  anyReward: 'Any reward',
  searchUser: 'Id of a user',
  none: 'Nothing waits to be handed out. What users buy or win comes here by itself.',
  toRewards: 'Show the rewards',
  choose: (reward: string, user: string) => `Choose ${reward} of ${user}`,
  handOutAll: (count: string) =>
    count === '1' ? 'Hand out 1 reward' : `Hand out ${count} rewards`,
  handOutHint: 'They count as handed out. They cannot be cancelled any more.',
  message: 'Message to these users',
  handedOut: (count: string) =>
    count === '1' ? '1 reward was handed out.' : `${count} rewards were handed out.`,
  nothingHandedOut: 'No reward was handed out.',
  refused: (count: string) =>
    count === '1' ? '1 could not be handed out:' : `${count} could not be handed out:`,
  ofUser: (reward: string, user: string) => `${reward} of ${user}`,
} as const
