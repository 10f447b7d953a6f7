import { Stack, Text } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { deleteOfferRule, pauseOfferRule, resumeOfferRule } from '../generated/offers.ts'
import type { OfferRuleRowFragment } from '../generated/types.ts'
import { HistoryDrawer } from '../history/settings-history.tsx'
import { CheckedButton } from '../parts/checked-button.tsx'
import { column, menuColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { humanized, numberText } from '../parts/formats.ts'
import { IconGift } from '../parts/icons.ts'
import { RightButton } from '../parts/right-button.tsx'
import { Status } from '../parts/status.tsx'
import { historyTexts } from '../texts/history-texts.ts'
import { offersTexts as texts } from '../texts/offers-texts.ts'
import { recommendationNames } from '../texts/recommendation-texts.ts'
import { EditOfferRule, OfferRuleCheck, settingsOf, valuesOf } from './offer-rule-form.tsx'

const DeleteRule = ({ of }: { of: OfferRuleRowFragment }) => {
  const change = useChange(deleteOfferRule)
  return (
    <DangerButton
      right="JOURNEYS_WRITE"
      size="xs"
      label={texts.delete}
      explanation={texts.deleteExplanation}
      name={of.title}
      act={() => change.mutateAsync({ input: { offerRuleId: of.id } })}
      done={texts.deleted}
    />
  )
}

/** Pauses a rule, or resumes it. */
const PauseRule = ({ of }: { of: OfferRuleRowFragment }) => {
  const { id, title, pausedAt } = of
  const pause = useChange(pauseOfferRule)
  const resume = useChange(resumeOfferRule)
  const input = { offerRuleId: id }
  return (
    <CheckedButton
      right="JOURNEYS_WRITE"
      size="xs"
      label={pausedAt ? texts.resume : texts.pause}
      name={title}
      act={() => (pausedAt ? resume : pause).mutateAsync({ input })}
      done={pausedAt ? texts.resumed : texts.pausedDone}
      check={(frame) => (
        <OfferRuleCheck
          frame={frame}
          rule={settingsOf(valuesOf(of))}
          to={pausedAt ? 'resume' : 'pause'}
        />
      )}
    />
  )
}

const History = ({ of: { id } }: { of: OfferRuleRowFragment }) => {
  const [, setSearch] = usePageSearch()
  return (
    <RightButton right={undefined} variant="default" onClick={() => setSearch({ history: id })}>
      {historyTexts.history}
    </RightButton>
  )
}

const columns: Column<OfferRuleRowFragment>[] = [
  column(texts.stage, ({ stage, pausedAt }) => (
    <Stack gap={4} align="flex-start">
      <Status of={stage} />
      {pausedAt && <Status of="PAUSED" />}
    </Stack>
  )),
  column(texts.offer, ({ title, offerType, recommendationType, reward }) => (
    <>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Text size="xs" c="dimmed">
        {humanized(offerType)}
      </Text>
      {reward && (
        <Text size="xs" c="dimmed">
          {texts.gives(reward.name)}
        </Text>
      )}
      {recommendationType && (
        <Text size="xs" c="dimmed">
          {texts.recommended(recommendationNames[recommendationType])}
        </Text>
      )}
    </>
  )),
  {
    ...column(texts.points, ({ points, creditsPoints }: OfferRuleRowFragment) => (
      <>
        {numberText(points)}
        {!creditsPoints && (
          <Text size="xs" c="dimmed">
            {texts.notCredited}
          </Text>
        )}
      </>
    )),
    textAlign: 'right',
  },
  column(texts.valid, ({ validHours }) => texts.hours(numberText(validHours))),
  column(texts.cooldown, ({ cooldownDays }) => texts.days(numberText(cooldownDays))),
  menuColumn(
    ({ title }) => title,
    (rule) => (
      <>
        <History of={rule} />
        <EditOfferRule rule={rule} />
        <PauseRule of={rule} />
        <DeleteRule of={rule} />
      </>
    ),
  ),
]

/** The rules that make offers automatically. */
export const OfferRules = ({ of }: { of: readonly OfferRuleRowFragment[] }) => {
  const [{ history }, setSearch] = usePageSearch()
  return (
    <>
      <ConnectionTable
        label={texts.rules}
        of={{ nodes: of }}
        columns={columns}
        idOf={({ id }) => id}
        empty={<EmptyState icon={IconGift} text={texts.addFirst} action={<EditOfferRule />} />}
      />
      <HistoryDrawer
        of={history ? { type: 'OfferRule', id: history } : null}
        name={of.find(({ id }) => id === history)?.title ?? ''}
        onClose={() => setSearch({ history: undefined })}
      />
    </>
  )
}
