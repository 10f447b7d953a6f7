import { Anchor, Text } from '@mantine/core'
import type { UserQuery } from '../generated/types.ts'
import { usersTexts as texts } from '../texts/users-texts.ts'

type Play = NonNullable<NonNullable<UserQuery['user']>['plays']>['nodes'][number]

/** The proof of a play in the format of REST, which `/plays/check` takes. */
const proofOf = ({
  uuid,
  gameType,
  playedAt,
  outcome,
  reward,
  proof,
}: Play & { proof: object }) => {
  const { __typename: _, ...shown } = outcome
  const { gameVersion, ...rest } = proof
  return {
    playId: uuid,
    gameType,
    playedAt,
    outcome: shown,
    reward: { ...reward, tier: reward.tier.toLowerCase(), type: reward.type.toLowerCase() },
    ...rest,
    gameVersion: gameVersion.version,
  }
}

/** Where the browser checks a play. The proof is in the fragment, so it is sent to no server. */
export const CheckedPlay = ({ of }: { of: Play }) => {
  const { proof } = of
  if (!proof) return '–'
  if (!proof.serverSeed)
    return (
      <Text size="sm" c="dimmed">
        {texts.notRevealed}
      </Text>
    )
  const href = `/plays/check#${encodeURIComponent(JSON.stringify(proofOf({ ...of, proof })))}`
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" size="sm">
      {texts.checkPlay}
    </Anchor>
  )
}
