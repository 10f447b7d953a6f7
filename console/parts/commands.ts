/** Commands for a terminal, with a placeholder for the key. */

export const awardCommand = (eventType: string) =>
  `curl ${location.origin}/v1/points/award \\
  -H 'X-API-Secret: YOUR_SECRET_KEY' -H 'Content-Type: application/json' \\
  -d '{"userId": "user-1", "eventType": "${eventType}"}'`

export const playCommand = (gameType: string) =>
  `curl ${location.origin}/v1/games/play \\
  -H 'X-API-Key: YOUR_PUBLIC_KEY' -H 'Content-Type: application/json' \\
  -d '{"userId": "user-1", "gameType": "${gameType}"}'`

export const lotteryEntryCommand = (lotterySlug: string) =>
  `curl ${location.origin}/v1/lotteries/entries \\
  -H 'X-API-Secret: YOUR_SECRET_KEY' -H 'Content-Type: application/json' \\
  -d '{"lotterySlug": "${lotterySlug}", "userId": "user-1", "email": "user-1@example.com"}'`

export const campaignEventCommand = (slug: string, eventType: string) =>
  `curl ${location.origin}/v1/campaigns/${slug}/events \\
  -H 'X-API-Secret: YOUR_SECRET_KEY' -H 'Content-Type: application/json' \\
  -d '{"userId": "user-1", "eventType": "${eventType}"}'`
