/** Restores all streaks that a window broke, in the background, and shows how far that is. */
import { Progress, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useChange } from '../client/use-change.ts'
import { restoreStreaks } from '../generated/streaks.ts'
import type { GoalSetUpFragment, GoalStreaksQuery } from '../generated/types.ts'
import { column, numberColumn, timeColumn, wide } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { numberText } from '../parts/formats.ts'
import { Panel } from '../parts/panel.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { Status } from '../parts/status.tsx'
import { pastWindows, type StreakWindowKind, windowText } from '../streaks/streak-text.ts'
import { goalStreaksTexts as texts } from '../texts/streaks-texts.ts'

type List = NonNullable<NonNullable<GoalStreaksQuery['goal']>['streakRestorations']>
type Restoration = List['nodes'][number]

/** Whether streaks are still being restored. */
export const isRestoring = (of: List | null | undefined): boolean =>
  of?.nodes.some(({ status }) => status !== 'COMPLETED') ?? false

const dayMs = 24 * 3_600_000
const maxDays = 30

/** Whether a window ended too long ago for all of its streaks to be restored. */
const isTooOld = (on: string, kind: StreakWindowKind) => {
  const windows = pastWindows(kind, 12)
  const end = windows[windows.indexOf(on) - 1]
  return kind !== 'DAY' && end !== undefined && Date.now() - Date.parse(end) > maxDays * dayMs
}

export const RestoreAll = (props: {
  of: Pick<GoalSetUpFragment, 'id'>
  on: string
  kind: StreakWindowKind
  users: string
}) => {
  const { of, on, kind, users } = props
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(restoreStreaks)
  const form = useForm({ initialValues: {} })
  return (
    <>
      <RightButton
        right="GRANTS_WRITE"
        refusal={isTooOld(on, kind) ? texts.tooOld : null}
        variant="default"
        onClick={open}
      >
        {texts.restoreAll[kind]}
      </RightButton>
      <FormDialog
        title={texts.restoreAll[kind]}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={() => change.mutateAsync({ input: { goal: { id: of.id }, brokenOn: on } })}
        submitLabel={texts.restoreAll[kind]}
        done={texts.restoringAll}
      >
        <Text size="sm">
          {texts.restoreAllExplanation(texts.users(users), windowText(on, kind, false))}
        </Text>
      </FormDialog>
    </>
  )
}

const ProgressOf = ({ of }: { of: Restoration }) => {
  const { streakCount, checkedCount, status } = of
  const rate = streakCount ? checkedCount / streakCount : 0
  const text =
    streakCount === null
      ? texts.uncounted
      : texts.progressOf(numberText(checkedCount), numberText(streakCount))
  return (
    <>
      <Progress
        value={status === 'COMPLETED' ? 100 : rate * 100}
        animated={status === 'RUNNING'}
        size="md"
        radius="xl"
        miw={120}
        aria-label={texts.progress}
      />
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </>
  )
}

const columnsFor = (kind: StreakWindowKind): Column<Restoration>[] => [
  column(texts.restorationOf[kind], ({ brokenOn }) => windowText(brokenOn, kind, false)),
  column(texts.status, ({ status }) => <Status of={status} label={texts.statuses[status]} />),
  wide(column(texts.progress, (item) => <ProgressOf of={item} />)),
  numberColumn(texts.restoredCount, ({ restoredCount }) => restoredCount),
  timeColumn(texts.startedAt, ({ createdAt }) => createdAt),
]

export const Restorations = ({ of, kind }: { of: List; kind: StreakWindowKind }) => (
  <div role="status">
    <Panel title={texts.restorations} hint={texts.restorationsHint} isFramed={false}>
      <ConnectionTable
        label={texts.restorations}
        of={of}
        columns={columnsFor(kind)}
        idOf={({ id }) => id}
        empty={null}
      />
    </Panel>
  </div>
)
