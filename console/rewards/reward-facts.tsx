import { PageLink } from '../client/link.tsx'
import type { RewardRowFragment } from '../generated/types.ts'
import { Facts } from '../parts/facts.tsx'
import { numberText, timeText } from '../parts/formats.ts'
import { Panel } from '../parts/panel.tsx'
import {
  rewardFormTexts as form,
  rewardsTexts,
  rewardFactsTexts as texts,
} from '../texts/rewards-texts.ts'

const timeOrNull = (at: string | null) => at && timeText(at)

const factsOfSale = ({ limit, segment, startsAt, endsAt, position }: RewardRowFragment) =>
  [
    [texts.limit, limit ? texts.limits[limit.window](numberText(limit.max)) : rewardsTexts.noLimit],
    [
      texts.segment,
      segment ? (
        <PageLink page="segments" id={segment.id} size="sm">
          {segment.name}
        </PageLink>
      ) : (
        form.everybody
      ),
    ],
    [form.starts, timeOrNull(startsAt)],
    [form.ends, timeOrNull(endsAt)],
    [form.position, numberText(position)],
  ] as const

/** What is set of a reward. Its figures are beside it. */
export const RewardFacts = ({ of }: { of: RewardRowFragment }) => {
  const { kind, slug, freePlays, price, imageUrl, createdAt } = of
  const days = freePlays?.validDays
  return (
    <Panel title={texts.title}>
      <Facts
        of={[
          [rewardsTexts.kind, rewardsTexts.kinds[kind]],
          [form.slug, slug],
          [texts.validDays, days && texts.within(numberText(days))],
          ...(price === null ? [] : factsOfSale(of)),
          [form.image, imageUrl],
          [rewardsTexts.created, timeText(createdAt)],
        ]}
      />
    </Panel>
  )
}
