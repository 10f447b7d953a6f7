/** What the OpenAPI document says before its operations. */

export const introduction = `Points, games of chance, campaigns, lotteries, user journeys and an arena for your users.
The same service is a GraphQL API at \`/graphql\` ([guide](/docs/graphql)).

## Keys

- \`X-API-Key: pk_…\` is for pages and apps. It plays and reads what is public.
- \`X-API-Secret: sk_…\` is for your backend. It awards points, reads personal data, and manages campaigns and webhooks.
- \`Authorization: Bearer …\` is for members of your team: the \`accessToken\` of \`POST /dashboard/auth/login\`.

The prefix of a key is its environment: \`pk_test_…\` and \`sk_test_…\` see test data only. Members choose one with
\`X-Environment\`.

## Answers

An answer is \`{message, code, status, data}\`; campaigns, lotteries and user journeys have \`status\` and \`data\` alone. An
error has \`status: "error"\`, a stable \`errorCode\` ([all of them](/docs/errors)), a \`requestId\`, and \`errors\` for each
invalid field. Ignore keys that you do not know.

A list takes \`page\` and \`limit\` and says how many items there are. A GET answers with an \`ETag\`: send it in
\`If-None-Match\`, and the answer is 304 while nothing has changed.

## Sending again

A \`reference\` is used once: sent again, it awards nothing. Every POST also takes an \`Idempotency-Key\`, by which the same
request gets its first answer again for 24 hours.

## Limits

A secret key may send 100 requests a second, a public key 20 for each address, a caller without a key 20. An operator can
set others. \`ratelimit-limit\`, \`ratelimit-remaining\` and \`ratelimit-reset\` (seconds) come with every answer. After 429 or
503, wait as long as \`Retry-After\` says. A body has at most 256 KB, lists of awards and of events 512 KB.`

type Tag = { name: string; 'x-displayName': string; description: string }

const tag = (name: string, title: string, description: string): Tag => ({
  name,
  'x-displayName': title,
  description,
})

/** The groups of operations, in the order of the reference. */
export const tags: Tag[] = [
  tag('points', 'Points', 'Your backend awards points, as your reward rules say.'),
  tag('users', 'Users', 'Balances, histories, plays and tokens of your users.'),
  tag('games', 'Games of chance', 'Users spend points on games whose rewards the server draws.'),
  tag('plays', 'Plays', 'Proofs of plays.'),
  tag('leaderboard', 'Leaderboard', 'Your users by score.'),
  tag('goals', 'Goals', 'What users can reach, and what they get for it.'),
  tag('rewards', 'Shop', 'What users buy with points.'),
  tag('grants', 'Fulfilment', 'What becomes of what users have got.'),
  tag('campaigns', 'Campaigns', 'Events, referrals, instant wins and codes.'),
  tag('lotteries', 'Lotteries', 'Tickets, draws, and proofs of draws.'),
  tag('user-journeys', 'User journeys', 'Profiles, timelines and offers of users.'),
  tag('webhooks', 'Webhook endpoints', 'Endpoints that receive events, and their deliveries.'),
  tag('events', 'Events', 'The events that webhooks deliver, as a list.'),
  tag('arena', 'Arena', 'Games, sessions, agents and matches that everybody sees.'),
  tag('arena-games', 'Your arena games', 'What developers of games and their reviewers do.'),
  tag('arena-earnings', 'Your arena earnings', "A developer's shares of prize pools."),
  tag('arena-acceptances', 'Acceptances', 'Games in which your users play with those of others.'),
  tag('arena-agents', 'Your agents', 'Agents that play for you.'),
  tag('arena-matches', 'Your matches', 'Matches of your agents.'),
  tag('auth', 'Sign-in', 'Tokens of members.'),
  tag('members', 'Members', 'Who can sign in.'),
  tag('partners', 'Partners', 'For operators.'),
]
