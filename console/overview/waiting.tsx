import { Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { PageLink, type PagePlace } from '../client/link.tsx'
import type { HomeQuery } from '../generated/types.ts'
import { agoText, countText, dateText, numberText } from '../parts/formats.ts'
import {
  type Icon,
  IconAlertTriangle,
  IconCircleCheck,
  IconKey,
  IconMedal,
  IconTruckDelivery,
} from '../parts/icons.ts'
import { Panel } from '../parts/panel.tsx'
import { overviewTexts as texts } from '../texts/overview-texts.ts'

type Waiting = PagePlace & {
  icon: Icon
  color: string
  text: string
  detail?: string | undefined
}

/** At most a tenth is left, as `Reward.isRunningOut` says. */
const isNearlyGone = ({ maxWins, remainingCount }: { maxWins: number; remainingCount: number }) =>
  remainingCount * 10 <= maxWins

const hostOf = (url: string) => new URL(url).host

const waitingOf = (of: HomeQuery): Waiting[] => {
  const toHandOut = of.toHandOut.totalCount
  return [
    ...of.webhookEndpoints.nodes
      .filter(({ status, failingSince }) => status === 'DISABLED' || failingSince)
      .map(({ id, url, status, failingSince }) => ({
        page: 'webhooks' as const,
        id,
        icon: IconAlertTriangle,
        color: 'red',
        text: status === 'DISABLED' ? texts.disabled(hostOf(url)) : texts.failing(hostOf(url)),
        detail: failingSince ? `${texts.since} ${agoText(failingSince)}` : undefined,
      })),
    ...(toHandOut.value > 0
      ? [
          {
            page: 'fulfillment' as const,
            icon: IconTruckDelivery,
            color: 'blue',
            text: texts.toHandOut(countText(toHandOut)),
          },
        ]
      : []),
    ...of.runningOut.nodes.map(({ id, name, stock, grantCount }) => ({
      page: 'rewards' as const,
      id,
      icon: IconMedal,
      color: 'yellow',
      text: texts.fewLeft(name, numberText((stock ?? 0) - (grantCount ?? 0))),
    })),
    ...of.campaigns.nodes.flatMap((campaign) =>
      campaign.prizes.filter(isNearlyGone).map((prize) => ({
        page: 'campaigns' as const,
        id: campaign.id,
        icon: IconMedal,
        color: 'yellow',
        text: texts.fewLeft(prize.name, numberText(prize.remainingCount)),
        detail: campaign.name,
      })),
    ),
    ...(of.apiKeys?.nodes ?? []).map(({ label, lastFour, expiresAt }) => ({
      page: 'keys' as const,
      icon: IconKey,
      color: 'yellow',
      text: texts.expires(label ?? `…${lastFour}`),
      detail: expiresAt ? `${texts.on} ${dateText(expiresAt)}` : undefined,
    })),
  ]
}

/** What somebody has to do, each with a link to where it is done. */
export const NeedsYou = ({ of }: { of: HomeQuery }) => {
  const waiting = waitingOf(of)
  return (
    <Panel title={texts.waiting}>
      {waiting.length === 0 ? (
        <Group gap="sm" c="dimmed">
          <IconCircleCheck size={20} aria-hidden />
          {texts.nothingWaits}
        </Group>
      ) : (
        <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {waiting.map(({ icon: Sign, color, text, detail, ...place }) => (
            <Group component="li" key={text} gap="sm" wrap="nowrap" align="flex-start">
              <ThemeIcon variant="light" color={color} size="md">
                <Sign size={16} aria-hidden />
              </ThemeIcon>
              <div>
                <PageLink {...place} size="sm" fw={600}>
                  {text}
                </PageLink>
                {detail && (
                  <Text size="xs" c="dimmed">
                    {detail}
                  </Text>
                )}
              </div>
            </Group>
          ))}
        </Stack>
      )}
    </Panel>
  )
}
