export const fulfillmentTexts = {
  title: 'To hand out',
  description:
    'Items and codes that users are waiting for. A code counts as handed out once its user has seen it.',
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
  searchUser: 'User ID',
  none: 'Nothing to hand out. Items and codes that users buy or win appear here.',
  toRewards: 'Show the rewards',
  choose: (reward: string, user: string) => `Choose ${reward} of ${user}`,
  handOutAll: (count: string) =>
    count === '1' ? 'Hand out 1 reward' : `Hand out ${count} rewards`,
  handOutHint: 'Marks them as handed out. After that they cannot be cancelled.',
  message: 'Message to these users',
  handedOut: (count: string) =>
    count === '1' ? '1 reward handed out.' : `${count} rewards handed out.`,
  nothingHandedOut: 'No reward was handed out.',
  refused: (count: string) =>
    count === '1' ? '1 could not be handed out:' : `${count} could not be handed out:`,
  ofUser: (reward: string, user: string) => `${reward} of ${user}`,
} as const
