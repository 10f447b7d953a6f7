import {
  Alert,
  Anchor,
  Box,
  Button,
  Group,
  List,
  Modal,
  Skeleton,
  Stack,
  Title,
} from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type ReactNode, useState } from 'react'
import { usePage } from '../client/use-page.ts'
import type { LaunchIssuePartsFragment } from '../generated/types.ts'
import type { Operation } from '../operation.ts'
import { checkTexts as texts } from '../texts/check-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'
import { Differences } from './differences.tsx'
import { Facts } from './facts.tsx'
import { exactTimeText } from './formats.ts'
import { IconAlertTriangle } from './icons.ts'
import { RefusalNotice } from './refusal-notice.tsx'
import type { FormLines } from './use-versions.ts'

type Issue = LaunchIssuePartsFragment

/** All fields of a form, before and after a change. */
export type FormChange = { before: FormLines; after: FormLines }

type FactList = Parameters<typeof Facts>[0]['of']

/** What a change means. Parts without content are left out. */
export type Check = {
  issues?: readonly Issue[]
  /** What becomes true for whom, one sentence each. */
  effects: readonly (string | false)[]
  changes?: FormChange | undefined
  cost?: ReactNode
  schedule?: FactList
  pageUrl?: string
}

/** The frame of a check: its title, and the change that it confirms. */
export type CheckFrame = {
  title: string
  confirmLabel: string
  act: () => Promise<unknown>
  done?: string
  onClose: () => void
}

/** When something that starts and ends by itself does so. */
export const scheduleOf = (of: { startsAt: string | null; endsAt: string | null }): FactList => [
  [
    texts.starts,
    of.startsAt && new Date(of.startsAt) > new Date()
      ? exactTimeText(of.startsAt)
      : texts.rightAway,
  ],
  endOf(of),
]

export const endOf = ({ endsAt }: { endsAt: string | null }): FactList[number] => [
  texts.ends,
  endsAt ? exactTimeText(endsAt) : texts.untilEnded,
]

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Box component="section" aria-label={title}>
    <Title order={3} size="h6" mb={4}>
      {title}
    </Title>
    {children}
  </Box>
)

const Issues = ({ of, severity }: { of: readonly Issue[]; severity: Issue['severity'] }) => {
  const messages = of.filter((item) => item.severity === severity).map(({ message }) => message)
  if (messages.length === 0) return null
  const isBlocker = severity === 'BLOCKER'
  return (
    <Alert
      color={isBlocker ? 'red' : 'yellow'}
      icon={<IconAlertTriangle />}
      title={isBlocker ? texts.blocked : texts.warnings}
    >
      {messages.map((message) => (
        <div key={message}>{message}</div>
      ))}
    </Alert>
  )
}

const CheckParts = ({ of }: { of: Check }) => {
  const { issues = [], effects, changes, cost, schedule, pageUrl } = of
  const sections = [
    [
      texts.changes,
      changes && (
        <Differences
          left={changes.before}
          leftTitle={texts.before}
          right={changes.after}
          rightTitle={texts.after}
        />
      ),
    ],
    [texts.cost, cost],
    [texts.schedule, schedule && <Facts of={schedule} />],
    [
      texts.page,
      pageUrl && (
        <Anchor href={pageUrl} target="_blank" rel="noreferrer" size="sm">
          {pageUrl}
        </Anchor>
      ),
    ],
  ] as const
  return (
    <>
      <Issues of={issues} severity="BLOCKER" />
      <Issues of={issues} severity="WARNING" />
      <Section title={texts.effects}>
        <List size="sm" spacing={4}>
          {effects.map((effect) => effect && <List.Item key={effect}>{effect}</List.Item>)}
        </List>
      </Section>
      {sections.map(
        ([title, content]) =>
          content && (
            <Section key={title} title={title}>
              {content}
            </Section>
          ),
      )}
    </>
  )
}

/** Makes the change, and says whether it is under way and what went wrong. */
const useAct = ({ act, done, onClose }: CheckFrame) => {
  const [error, setError] = useState<Error | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const confirm = async () => {
    setIsBusy(true)
    setError(null)
    try {
      await act()
      if (done) notifications.show({ message: done, color: 'teal' })
      onClose()
    } catch (cause) {
      setError(cause as Error)
    } finally {
      setIsBusy(false)
    }
  }
  return { confirm, error, isBusy }
}

/** Shows what a change in LIVE means before it is made. It opens when it is rendered. */
export const CheckDialog = <Data, Variables>(props: {
  frame: CheckFrame
  operation: Operation<Data, Variables>
  variables: Variables
  /** Null if the object is gone. */
  checkOf: (data: Data) => Check | null
}) => {
  const { frame, operation, variables, checkOf } = props
  const { data, error, refetch } = usePage(operation, variables)
  const { confirm, error: refusal, isBusy } = useAct(frame)
  const check = data && checkOf(data)
  const isBlocked = check?.issues?.some(({ severity }) => severity === 'BLOCKER') ?? false
  return (
    <Modal opened onClose={frame.onClose} title={frame.title} size="lg">
      <Stack gap="md">
        {error && <RefusalNotice error={error} onRetry={refetch} />}
        {check && <CheckParts of={check} />}
        {!data && !error && <Skeleton h={240} aria-busy aria-label={shellTexts.loading} />}
        {refusal && <RefusalNotice error={refusal} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={frame.onClose}>
            {shellTexts.cancel}
          </Button>
          <Button loading={isBusy} disabled={!check || isBlocked} onClick={confirm} data-autofocus>
            {frame.confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
