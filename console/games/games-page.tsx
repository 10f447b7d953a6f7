import { Button, Card, Group, SimpleGrid, Text, Title } from '@mantine/core'
import { PageLink, useGoTo } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { games } from '../generated/games.ts'
import type { GameCardFragment } from '../generated/types.ts'
import { numberText } from '../parts/formats.ts'
import { lineOf } from '../parts/metrics.tsx'
import { Page } from '../parts/page.tsx'
import { type ComparedPeriod, PeriodPicker, usePeriod } from '../parts/period.tsx'
import { Status } from '../parts/status.tsx'
import { TimeChart } from '../parts/time-chart.tsx'
import { gameNames, gamesTexts as texts } from '../texts/games-texts.ts'

type GameName = keyof typeof gameNames

const Figure = ({ label, value }: { label: string; value: string }) => (
  <div>
    <Text size="xs" c="dimmed">
      {label}
    </Text>
    <Text fw={650}>{value}</Text>
  </div>
)

const GameCard = ({ game, period }: { game: GameCardFragment; period: ComparedPeriod }) => {
  const seriesOf = (metric: string) =>
    game.statistics.find((statistic) => statistic.metric === metric)
  return (
    <Card withBorder padding="md">
      <Group justify="space-between" mb={4}>
        <Title order={2} size="h4">
          <PageLink page="games" id={game.gameType} inherit>
            {game.name}
          </PageLink>
        </Title>
        <Status of={game.status} />
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {game.description}
      </Text>
      <SimpleGrid cols={2} spacing="xs" mb="md">
        <Figure label={texts.cost} value={texts.points(numberText(game.price))} />
        <Figure label={texts.expected} value={texts.points(game.config.expectedWorth.toFixed(1))} />
        <Figure label={texts.plays} value={numberText(seriesOf('PLAYS')?.total ?? 0)} />
        <Figure label={texts.spent} value={numberText(seriesOf('PLAY_POINTS_SPENT')?.total ?? 0)} />
      </SimpleGrid>
      <TimeChart
        label={texts.playsChart}
        kind="bar"
        height={120}
        today={period.today}
        earlierLabel={period.earlierLabel}
        series={[
          lineOf(game.statistics, game.earlier, period, {
            metric: 'PLAYS',
            name: texts.plays,
            color: 'ember.5',
          }),
        ]}
      />
    </Card>
  )
}

const MissingGame = ({ name }: { name: GameName }) => {
  const goTo = useGoTo()
  return (
    <Card withBorder padding="md">
      <Title order={2} size="h4">
        {gameNames[name]}
      </Title>
      <Text size="sm" c="dimmed" my="md">
        {texts.notSetUp}
      </Text>
      <Button variant="light" onClick={() => goTo({ page: 'games', id: name })}>
        {texts.setUp}
      </Button>
    </Card>
  )
}

export const GamesPage = () => {
  const period = usePeriod()
  const query = usePage(games, period.variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      actions={<PeriodPicker of={period} />}
      operation={games}
      variables={period.variables}
      asked={query}
    >
      {({ active, inactive }) => {
        const known = [...active, ...inactive]
        return (
          <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
            {(Object.keys(gameNames) as GameName[]).map((name) => {
              const game = known.find(({ gameType }) => gameType === name)
              return game ? (
                <GameCard key={name} game={game} period={period} />
              ) : (
                <MissingGame key={name} name={name} />
              )
            })}
          </SimpleGrid>
        )
      }}
    </Page>
  )
}
