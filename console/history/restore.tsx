import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ConflictRefusal } from '../client/change.ts'
import { useChange } from '../client/use-change.ts'
import type { Requirement } from '../client/viewer.tsx'
import {
  restoreCampaign,
  restoreGame,
  restoreLottery,
  restoreOfferRule,
  restoreRewardRule,
} from '../generated/history.ts'
import type { GameType, RestorableVersionFragment } from '../generated/types.ts'
import { Differences } from '../parts/differences.tsx'
import { RefusalNotice } from '../parts/refusal-notice.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { historyTexts as texts } from '../texts/history-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'
import { linesOf, sidesOf } from './changes.ts'

/** Something whose settings are kept. */
export type Kept =
  | { type: 'RewardRule' | 'OfferRule' | 'Campaign' | 'Lottery'; id: string }
  | { type: 'Game'; gameType: GameType }

/** The version to restore, what restoring it changes now, and the version of now. */
export type Restorable = RestorableVersionFragment

const rightToRestore: Record<Kept['type'], Requirement> = {
  RewardRule: 'GAMES_WRITE',
  Game: 'GAMES_WRITE',
  OfferRule: 'JOURNEYS_WRITE',
  Campaign: 'CAMPAIGNS_WRITE',
  Lottery: 'LOTTERIES_WRITE',
}

/** Restores a version of any kind. */
const useRestore = (of: Kept) => {
  const rewardRule = useChange(restoreRewardRule)
  const offerRule = useChange(restoreOfferRule)
  const campaign = useChange(restoreCampaign)
  const lottery = useChange(restoreLottery)
  const game = useChange(restoreGame)
  return ({ version, currentVersion: expectedVersion }: Restorable): Promise<unknown> => {
    const input = { version, expectedVersion }
    switch (of.type) {
      case 'RewardRule':
        return rewardRule.mutateAsync({ input: { ...input, rewardRuleId: of.id } })
      case 'OfferRule':
        return offerRule.mutateAsync({ input: { ...input, offerRuleId: of.id } })
      case 'Campaign':
        return campaign.mutateAsync({ input: { ...input, campaign: { id: of.id } } })
      case 'Lottery':
        return lottery.mutateAsync({ input: { ...input, lottery: { id: of.id } } })
      case 'Game':
        return game.mutateAsync({ input: { ...input, gameType: of.gameType } })
    }
  }
}

const Restoration = (props: { of: Restorable; warning: string | null }) => {
  const { of, warning } = props
  const { from, to } = sidesOf(linesOf(of.restores))
  if (from.length === 0) return <Text size="sm">{texts.alreadySo}</Text>
  return (
    <>
      {warning && (
        <Alert color="orange" variant="light">
          {warning}
        </Alert>
      )}
      <Differences left={from} leftTitle={texts.now} right={to} rightTitle={texts.after} />
      <Text size="sm" c="dimmed">
        {texts.restoreHint}
      </Text>
    </>
  )
}

/**
 * A button that restores a version, after showing what changes. If somebody changes the object meanwhile, nothing is
 * restored, and the dialog shows the differences anew.
 */
// Long: the dialog and its actions.
export const RestoreButton = (props: {
  of: Kept
  restorable: Restorable
  /** The version that a change made, if it is to be undone. */
  undone?: number
}) => {
  const { of, restorable, undone } = props
  const { version, currentVersion, restores } = restorable
  const [isOpen, { open, close }] = useDisclosure()
  const [error, setError] = useState<Error | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const queries = useQueryClient()
  const restore = useRestore(of)
  const isUndo = undone !== undefined
  const hasMoved = error instanceof ConflictRefusal
  const isLater = isUndo && currentVersion > undone
  const warning = hasMoved ? texts.changedMeanwhile : isLater ? texts.changedSince : null
  const confirm = async () => {
    setIsBusy(true)
    setError(null)
    try {
      await restore(restorable)
      close()
      const message = isUndo ? texts.undone : texts.restored(version)
      notifications.show({ message, color: 'teal' })
    } catch (cause) {
      if (cause instanceof ConflictRefusal) await queries.invalidateQueries()
      setError(cause as Error)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <>
      <RightButton
        right={rightToRestore[of.type]}
        size="xs"
        variant="default"
        onClick={() => {
          setError(null)
          open()
        }}
      >
        {isUndo ? texts.undo : texts.restore}
      </RightButton>
      <Modal
        opened={isOpen}
        onClose={close}
        title={isUndo ? texts.undoTitle : texts.restoreTitle(version)}
        size="lg"
      >
        <Stack gap="sm">
          <Restoration of={restorable} warning={warning} />
          {error && !hasMoved && <RefusalNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {shellTexts.cancel}
            </Button>
            <Button
              color={warning ? 'red' : undefined}
              loading={isBusy}
              disabled={restores.length === 0}
              onClick={confirm}
            >
              {isUndo ? (warning ? texts.undoAll : texts.undo) : texts.restore}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
