import { Text } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import type { LedgerRowFragment } from '../generated/types.ts'
import { gameNames } from '../texts/games-texts.ts'

/** What an entry comes from: a link to the game, campaign, reward or offer; nothing for an award or a correction. */
export const EntrySource = ({ of }: { of: LedgerRowFragment }) => {
  const { play, campaign, grant, offer, arenaSession, user } = of
  if (play)
    return (
      <PageLink page="games" id={play.gameType} size="sm">
        {gameNames[play.gameType]}
      </PageLink>
    )
  if (campaign)
    return (
      <PageLink page="campaigns" id={campaign.id} size="sm">
        {campaign.name}
      </PageLink>
    )
  if (grant)
    return (
      <PageLink page="rewards" id={grant.reward.id} size="sm">
        {grant.reward.name}
      </PageLink>
    )
  if (offer)
    return (
      <PageLink page="users" id={user.id} search={{ tab: 'offers' }} size="sm">
        {offer.title}
      </PageLink>
    )
  // A session may be of a game of another partner, which has no page here.
  if (arenaSession?.game) return <Text size="sm">{arenaSession.game.name}</Text>
  return '–'
}
