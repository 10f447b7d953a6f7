import { Alert, Button, Group, Stack, Text, ThemeIcon, Timeline } from '@mantine/core'
import { useThrottledCallback } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type PagePlace, useGoTo } from '../client/link.tsx'
import { useLive } from '../client/live.ts'
import { usePage } from '../client/use-page.ts'
import { eventFeed } from '../generated/overview.ts'
import { start } from '../generated/start.ts'
import type { StartQuery } from '../generated/types.ts'
import { Command } from '../parts/command.tsx'
import { awardCommand, playCommand } from '../parts/commands.ts'
import { numberText } from '../parts/formats.ts'
import { IconCheck, IconCircleDashed } from '../parts/icons.ts'
import { Page } from '../parts/page.tsx'
import { startTexts as texts } from '../texts/start-texts.ts'

type StartGame = StartQuery['games'][number]

const fiveYearsMs = 5 * 365 * 24 * 3600 * 1000

const GoButton = ({ label, ...place }: PagePlace & { label: string }) => {
  const goTo = useGoTo()
  return (
    <Button size="xs" variant="default" onClick={() => goTo(place)}>
      {label}
    </Button>
  )
}

/** Plays are requested by a page or an app with a public key, which is not the key of the first step. */
const PlayCommand = ({ of, hasPublicKey }: { of: StartGame; hasPublicKey: boolean }) => (
  <>
    <Text size="sm" c="dimmed">
      {texts.playCost(numberText(of.price))} {hasPublicKey ? texts.playCommand : texts.playNoKey}
    </Text>
    {!hasPublicKey && (
      <GoButton page="keys" search={{ create: 'PUBLIC' }} label={texts.playKeyAction} />
    )}
    <Command text={playCommand(of.gameType)} />
  </>
)

/** `lacks` says what is still missing for the step. */
type Step = {
  title: string
  text: string
  lacks?: string | undefined
  isDone: boolean
  next: ReactNode
}

const stepsOf = (data: StartQuery): Step[] => {
  const totalOf = (metric: string) =>
    data.analytics.find((analytic) => analytic.metric === metric)?.total ?? 0
  const [game] = data.games
  const [rule] = data.rewardRules.nodes
  const [endpoint] = data.webhookEndpoints.nodes
  return [
    {
      title: texts.key,
      text: texts.keyText,
      isDone: data.apiKeys.totalCount.value > 0,
      next: <GoButton page="keys" search={{ create: 'SECRET' }} label={texts.keyAction} />,
    },
    {
      title: texts.award,
      text: texts.awardText,
      lacks: rule ? undefined : texts.awardNoRule,
      isDone: totalOf('POINTS_ISSUED') > 0,
      next: rule ? (
        <>
          <Text size="sm" c="dimmed">
            {texts.awardCommand}
          </Text>
          <Command text={awardCommand(rule.eventType)} />
        </>
      ) : (
        <GoButton page="reward-rules" label={texts.awardAction} />
      ),
    },
    {
      title: texts.play,
      text: texts.playText,
      lacks: game ? undefined : texts.playNoGame,
      isDone: totalOf('PLAYS') > 0,
      next: game ? (
        <PlayCommand of={game} hasPublicKey={data.publicKeys.totalCount.value > 0} />
      ) : (
        <GoButton page="games" label={texts.playAction} />
      ),
    },
    {
      title: texts.webhook,
      text: texts.webhookText,
      lacks: endpoint && texts.webhookTest,
      isDone: data.attempts.some(({ group, total }) => group === 'SUCCEEDED' && total > 0),
      next: endpoint ? (
        <GoButton page="webhooks" id={endpoint.id} label={texts.webhookTestAction} />
      ) : (
        <GoButton page="webhooks" label={texts.webhookAction} />
      ),
    },
  ]
}

const Steps = ({ of }: { of: readonly Step[] }) => (
  <Timeline
    color="green"
    bulletSize={28}
    lineWidth={2}
    active={of.findIndex(({ isDone }) => !isDone) - 1}
  >
    {of.map(({ title, text, lacks, isDone, next }) => (
      <Timeline.Item
        key={title}
        title={title}
        bullet={
          <ThemeIcon
            role="img"
            radius="xl"
            size={26}
            color={isDone ? 'green' : 'gray'}
            variant={isDone ? 'filled' : 'light'}
            aria-label={isDone ? texts.isDone : texts.isOpen}
          >
            {isDone ? <IconCheck size={16} /> : <IconCircleDashed size={16} />}
          </ThemeIcon>
        }
      >
        <Stack gap="xs" mt={4} mb="sm" align="flex-start">
          <Text size="sm" c="dimmed">
            {isDone ? text : (lacks ?? text)}
          </Text>
          {!isDone && next}
        </Stack>
      </Timeline.Item>
    ))}
  </Timeline>
)

/** The first steps of a new partner. Each is ticked once it is done. */
export const StartPage = () => {
  const today = Math.ceil(Date.now() / 86_400_000) * 86_400_000
  const variables = {
    from: new Date(today - fiveYearsMs).toISOString(),
    to: new Date(today).toISOString(),
  }
  const query = usePage(start, variables, { refreshMs: 15_000 })
  const queries = useQueryClient()
  // Many simultaneous events cause one query.
  const refresh = useThrottledCallback(() => queries.invalidateQueries(), 2_000)
  useLive(eventFeed, {}, refresh)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      operation={start}
      variables={variables}
      asked={query}
    >
      {(data) => {
        const steps = stepsOf(data)
        return (
          <Stack maw={760}>
            {steps.every(({ isDone }) => isDone) && (
              <Alert color="green">
                <Group>
                  {texts.allDone}
                  <GoButton page="overview" label={texts.toOverview} />
                </Group>
              </Alert>
            )}
            <Steps of={steps} />
          </Stack>
        )
      }}
    </Page>
  )
}
