import { Button, Group, List, Modal, Progress, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Requirement } from '../client/viewer.tsx'
import { texts } from '../texts/shell-texts.ts'
import { numberText } from './formats.ts'
import { RightButton } from './right-button.tsx'

type Run = {
  all: number
  done: number
  refused: { id: string; name: string; reason: string }[]
  isRunning: boolean
}

type Action<Row> = {
  /** What a row is called if it is refused. */
  nameOf: (row: Row) => string
  act: (row: Row) => Promise<unknown>
}

/** Acts on one after another, so that one that is refused keeps none of the others. */
const useRun = <Row extends { id: string }>({ nameOf, act }: Action<Row>) => {
  const queries = useQueryClient()
  const [run, setRun] = useState<Run | null>(null)
  const start = async (rows: readonly Row[]) => {
    let now: Run = { all: rows.length, done: 0, refused: [], isRunning: true }
    setRun(now)
    for (const row of rows) {
      try {
        await act(row)
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause)
        now = { ...now, refused: [...now.refused, { id: row.id, name: nameOf(row), reason }] }
      }
      now = { ...now, done: now.done + 1 }
      setRun(now)
    }
    await queries.invalidateQueries()
    setRun({ ...now, isRunning: false })
  }
  return { run, start, forget: () => setRun(null) }
}

/** What an action says about its numbers. */
type Outcome = {
  done: (count: string) => string
  nothingDone: string
  refused: (count: string) => string
}

const Refused = ({ of, outcome }: { of: Run['refused']; outcome: Outcome }) => (
  <div>
    <Text size="sm" fw={600}>
      {outcome.refused(numberText(of.length))}
    </Text>
    <List size="sm">
      {of.map(({ id, name, reason }) => (
        <List.Item key={id}>
          {name}
          <Text size="xs" c="dimmed">
            {reason}
          </Text>
        </List.Item>
      ))}
    </List>
  </div>
)

const Result = (props: { of: Run; outcome: Outcome; onClose: () => void }) => {
  const { of, outcome, onClose } = props
  const { all, done, refused, isRunning } = of
  const progress = texts.running(numberText(done), numberText(all))
  const count = done - refused.length
  return (
    <>
      <div role="status">
        {isRunning ? (
          <Text size="sm" mb={6}>
            {progress}
          </Text>
        ) : (
          <Text fw={600}>
            {count === 0 ? outcome.nothingDone : outcome.done(numberText(count))}
          </Text>
        )}
        {isRunning && (
          <Progress value={(done / all) * 100} radius="xl" animated aria-label={progress} />
        )}
      </div>
      {!isRunning && refused.length > 0 && <Refused of={refused} outcome={outcome} />}
      {!isRunning && (
        <Group justify="flex-end">
          <Button onClick={onClose}>{texts.done}</Button>
        </Group>
      )}
    </>
  )
}

/** A button that acts on all chosen rows of a page, with the fields that it needs. The list may lose the rows meanwhile. */
// Long: the button, the dialog before, and the result after.
export const ActOnChosen = <Row extends { id: string }>(
  props: Action<Row> & {
    of: readonly Row[]
    right: Requirement
    title: (count: string) => string
    outcome: Outcome
    variant?: 'filled' | 'default'
    /** Checks the fields. Nothing is done unless it is true. */
    isReady?: () => boolean
    /** Whether something is still to be typed before it can be done. */
    isDisabled?: boolean
    onDone: () => void
    /** Clears the fields. */
    onClose: () => void
    children: ReactNode
  },
) => {
  const { of, right, title, outcome, variant = 'filled', isReady, onDone, onClose } = props
  const { isDisabled = false } = props
  const [isOpen, { open, close }] = useDisclosure()
  const { run, start, forget } = useRun(props)
  const leave = () => {
    close()
    if (run) onDone()
    forget()
    onClose()
  }
  const isBusy = run?.isRunning ?? false
  const label = title(numberText(run?.all ?? of.length))
  const begin = () => {
    if (isReady?.() ?? true) start(of)
  }
  return (
    <>
      {of.length > 0 && (
        <RightButton right={right} variant={variant} onClick={open}>
          {label}
        </RightButton>
      )}
      <Modal
        opened={isOpen}
        onClose={leave}
        title={label}
        withCloseButton={!isBusy}
        closeOnEscape={!isBusy}
        closeOnClickOutside={!isBusy}
      >
        <Stack gap="sm">
          {run ? (
            <Result of={run} outcome={outcome} onClose={leave} />
          ) : (
            <>
              {props.children}
              <Group justify="flex-end">
                <Button variant="default" onClick={leave}>
                  {texts.cancel}
                </Button>
                <Button onClick={begin} disabled={isDisabled}>
                  {label}
                </Button>
              </Group>
            </>
          )}
        </Stack>
      </Modal>
    </>
  )
}
