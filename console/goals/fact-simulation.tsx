import { Alert, Button, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { type Search, usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { simulateFact } from '../generated/goal.ts'
import type { Fact, GameType, GoalSetUpFragment } from '../generated/types.ts'
import { MomentField } from '../parts/moment-field.tsx'
import { Panel } from '../parts/panel.tsx'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { WholeNumberField } from '../parts/whole-number-field.tsx'
import { gameNames } from '../texts/games-texts.ts'
import { factSimulationTexts as texts, goalLabels as words } from '../texts/goals-texts.ts'
import { factNames } from './goal-text.ts'
import { keysOf, metadataOf, type SimulatedEvent } from './simulated-event.ts'
import { SimulatedTasks } from './simulated-tasks.tsx'

type Values = {
  user: string
  fact: Fact
  eventType: string
  points: number
  game: string | null
  campaign: string | null
  at: string | null
  /** By the place of its key, because a key may have a dot. */
  metadata: string[]
}

const campaignsOf = ({ tasks }: GoalSetUpFragment) => [
  ...new Map(
    tasks.flatMap(({ measure: { campaign } }) => (campaign ? [[campaign.id, campaign]] : [])),
  ).values(),
]

const eventTypesOf = ({ tasks }: GoalSetUpFragment) => [
  ...new Set(tasks.flatMap(({ measure }) => measure.eventTypes)),
]

/** Of other facts, the type is their name. A task that counts them can still ask for it. */
const hasEventType = ({ tasks }: GoalSetUpFragment, fact: Fact) =>
  ['POINTS_AWARDED', 'ACTIVITY', 'CAMPAIGN_EVENT'].includes(fact) ||
  tasks.some(({ measure }) => measure.facts.includes(fact) && measure.eventTypes.length > 0)

const isGame = (fact: Fact) => fact === 'GAME_PLAYED' || fact === 'GAME_WON'

/** The parameter in the URL that holds a value of the metadata. */
const parameterOf = (key: string) => `with-${key}`

const valuesIn = (search: Search, goal: GoalSetUpFragment): Values => {
  const [first] = goal.tasks
  const fact = factNames.find((name) => name === search['fact'])
  return {
    user: search['user'] ?? '',
    fact: fact ?? first?.measure.facts[0] ?? 'ACTIVITY',
    eventType: search['event'] ?? eventTypesOf(goal)[0] ?? 'purchase',
    points: Number(search['points'] ?? 10),
    game: search['game'] ?? first?.measure.gameType ?? 'NEON_WHEEL',
    campaign: search['campaign'] ?? null,
    at: search['at'] ?? null,
    metadata: keysOf(goal.tasks).map((key) => search[parameterOf(key)] ?? ''),
  }
}

const searchOf = (values: Values, goal: GoalSetUpFragment): Search => ({
  user: values.user,
  fact: values.fact,
  event: values.eventType,
  points: String(values.points),
  game: (isGame(values.fact) && values.game) || undefined,
  campaign: values.campaign ?? undefined,
  at: values.at ?? undefined,
  ...Object.fromEntries(
    keysOf(goal.tasks).map((key, n) => [parameterOf(key), values.metadata[n] || undefined]),
  ),
})

const eventOf = (values: Values, goal: GoalSetUpFragment): SimulatedEvent => ({
  fact: values.fact,
  eventType: hasEventType(goal, values.fact) ? values.eventType : values.fact.toLowerCase(),
  points: values.points,
  gameType: isGame(values.fact) ? (values.game as GameType | null) : null,
  campaign: campaignsOf(goal).find(({ id }) => id === values.campaign) ?? null,
  metadata: Object.fromEntries(
    keysOf(goal.tasks).flatMap((key, n) =>
      values.metadata[n] ? [[key, values.metadata[n]] as const] : [],
    ),
  ),
})

const Outcome = ({ goal, of }: { goal: GoalSetUpFragment; of: Values }) => {
  const event = eventOf(of, goal)
  const { fact, eventType, points, campaign } = event
  const { data, error, refetch } = usePage(simulateFact, {
    id: goal.id,
    user: { externalId: of.user },
    fact: {
      ...{ fact, eventType, points },
      ...(campaign && { campaignId: campaign.id }),
      metadata: metadataOf(event),
    },
    ...(of.at && { at: of.at }),
  })
  if (error) return <RefusalNotice error={error} onRetry={refetch} />
  if (!data?.goal) return null
  const { simulatedFact } = data.goal
  return data.user && simulatedFact ? (
    <SimulatedTasks goal={goal} user={data.user} of={simulatedFact} event={event} />
  ) : (
    <Alert color="gray" role="status">
      {texts.noSuchUser}
    </Alert>
  )
}

/** The fields that say what happens, as far as the goal looks at them. */
// Long: one field after the other.
const EventFields = ({
  form,
  goal,
}: {
  form: UseFormReturnType<Values>
  goal: GoalSetUpFragment
}) => {
  const { fact } = form.values
  const campaigns = campaignsOf(goal)
  return (
    <>
      <Select
        label={texts.fact}
        allowDeselect={false}
        data={factNames.map((value) => ({ value, label: words.facts[value].label }))}
        {...form.getInputProps('fact')}
      />
      {hasEventType(goal, fact) && (
        <TextInput
          label={texts.eventType}
          required
          maxLength={255}
          {...form.getInputProps('eventType')}
        />
      )}
      {goal.tasks.some(({ measure }) => measure.of === 'POINTS') && (
        <WholeNumberField label={texts.points} {...form.getInputProps('points')} />
      )}
      {isGame(fact) && (
        <Select
          label={texts.game}
          allowDeselect={false}
          data={Object.entries(gameNames).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('game')}
        />
      )}
      {campaigns.length > 0 && (
        <Select
          label={texts.campaign}
          placeholder={texts.noCampaign}
          clearable
          data={campaigns.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.getInputProps('campaign')}
        />
      )}
      {keysOf(goal.tasks).map((key, n) => (
        <TextInput
          key={key}
          label={texts.value(key)}
          description={texts.valueHint}
          maxLength={255}
          {...form.getInputProps(`metadata.${n}`)}
        />
      ))}
    </>
  )
}

/** Simulates what one event of a user would count. The URL holds the input. */
export const FactSimulation = ({ of: goal }: { of: GoalSetUpFragment }) => {
  const [search, setSearch] = usePageSearch()
  const query = valuesIn(search, goal)
  const form = useForm({ initialValues: query })
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Panel title={texts.title} hint={texts.hint}>
        <form onSubmit={form.onSubmit((values) => setSearch(searchOf(values, goal)))}>
          <Stack gap="sm">
            <TextInput
              label={texts.user}
              description={texts.userHint}
              required
              maxLength={255}
              {...form.getInputProps('user')}
            />
            <EventFields form={form} goal={goal} />
            <MomentField
              label={texts.at}
              description={texts.atHint}
              clearable
              {...form.getInputProps('at')}
            />
            <Button type="submit" style={{ alignSelf: 'flex-end' }}>
              {texts.simulate}
            </Button>
          </Stack>
        </form>
      </Panel>
      {search['user'] && <Outcome goal={goal} of={query} />}
    </SimpleGrid>
  )
}
