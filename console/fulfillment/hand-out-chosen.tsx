import { Button, Group, List, Modal, Progress, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { makeChange } from '../client/change.ts'
import { useEnvironment } from '../client/viewer.tsx'
import { fulfillGrant } from '../generated/reward.ts'
import type { ToHandOutQuery } from '../generated/types.ts'
import { numberText } from '../parts/formats.ts'
import { RightButton } from '../parts/right-button.tsx'
import { MessageField, messageOf } from '../rewards/grant-message.tsx'
import { fulfillmentTexts as texts } from '../texts/fulfillment-texts.ts'
import { grantsTexts } from '../texts/rewards-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'

export type Waiting = ToHandOutQuery['grants']['nodes'][number]

/** The reward and its user. */
const nameOf = ({ reward, user }: Waiting) =>
  texts.ofUser(reward.name, user.displayName ?? user.externalId)

type Run = {
  all: number
  done: number
  refused: { id: string; name: string; reason: string }[]
  isRunning: boolean
}

/** Hands out one after another, so that one that is refused keeps none of the others. */
const useRun = () => {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const [run, setRun] = useState<Run | null>(null)
  const start = async (grants: Waiting[], message: string | null) => {
    let now: Run = { all: grants.length, done: 0, refused: [], isRunning: true }
    setRun(now)
    for (const grant of grants) {
      const { id } = grant
      try {
        await makeChange(fulfillGrant, { input: { grantId: id, message } }, environment)
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause)
        now = { ...now, refused: [...now.refused, { id, name: nameOf(grant), reason }] }
      }
      now = { ...now, done: now.done + 1 }
      setRun(now)
    }
    await queries.invalidateQueries()
    setRun({ ...now, isRunning: false })
  }
  return { run, start, forget: () => setRun(null) }
}

const Refused = ({ of }: { of: Run['refused'] }) => (
  <div>
    <Text size="sm" fw={600}>
      {texts.refused(numberText(of.length))}
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

const Result = ({ of, onClose }: { of: Run; onClose: () => void }) => {
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
            {count === 0 ? texts.nothingHandedOut : texts.handedOut(numberText(count))}
          </Text>
        )}
        {isRunning && (
          <Progress value={(done / all) * 100} radius="xl" animated aria-label={progress} />
        )}
      </div>
      {!isRunning && refused.length > 0 && <Refused of={refused} />}
      {!isRunning && (
        <Group justify="flex-end">
          <Button onClick={onClose}>{shellTexts.done}</Button>
        </Group>
      )}
    </>
  )
}

/** Hands out all that are chosen. The list may lose them meanwhile. */
export const HandOutChosen = ({ of, onDone }: { of: Waiting[]; onDone: () => void }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const [message, setMessage] = useState('')
  const { run, start, forget } = useRun()
  const leave = () => {
    close()
    if (run) onDone()
    forget()
    setMessage('')
  }
  const isBusy = run?.isRunning ?? false
  const title = texts.handOutAll(numberText(run?.all ?? of.length))
  return (
    <>
      {of.length > 0 && (
        <RightButton right="GRANTS_WRITE" onClick={open}>
          {title}
        </RightButton>
      )}
      <Modal
        opened={isOpen}
        onClose={leave}
        title={title}
        withCloseButton={!isBusy}
        closeOnEscape={!isBusy}
        closeOnClickOutside={!isBusy}
      >
        <Stack gap="sm">
          {run ? (
            <Result of={run} onClose={leave} />
          ) : (
            <>
              <Text size="sm">{texts.handOutHint}</Text>
              <MessageField
                label={texts.message}
                description={grantsTexts.parcelHint}
                value={message}
                onChange={setMessage}
              />
              <Group justify="flex-end">
                <Button variant="default" onClick={leave}>
                  {shellTexts.cancel}
                </Button>
                <Button onClick={() => start(of, messageOf(message))}>{title}</Button>
              </Group>
            </>
          )}
        </Stack>
      </Modal>
    </>
  )
}
