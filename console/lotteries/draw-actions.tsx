import { Group } from '@mantine/core'
import { useChange } from '../client/use-change.ts'
import { useViewer } from '../client/viewer.tsx'
import { cancelLotteryDraw, executeLotteryDraw } from '../generated/lottery.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { lotteriesTexts, drawsTexts as texts } from '../texts/lotteries-texts.ts'
import { useManages } from './lottery-actions.tsx'
import type { ShownDraw } from './shown-draw.ts'
import type { ShownLottery } from './shown-lottery.ts'

/** Runs a draw now (operators only), and cancels it before it closes. */
export const DrawActions = ({ lottery, draw }: { lottery: ShownLottery; draw: ShownDraw }) => {
  const execute = useChange(executeLotteryDraw)
  const cancel = useChange(cancelLotteryDraw)
  const isManaged = useManages(lottery)
  const { member } = useViewer()
  const { id, status, number } = draw
  const name = lotteriesTexts.drawName(number)
  const isBeforeClosing = status === 'SCHEDULED' || status === 'OPEN'
  return (
    <Group gap="xs">
      {member?.isOperator && (status === 'OPEN' || status === 'CLOSED') && (
        <DangerButton
          label={texts.execute}
          explanation={texts.executeExplanation}
          name={name}
          act={() => execute.mutateAsync({ input: { lotteryDrawId: id } })}
          done={texts.executed}
        />
      )}
      {isManaged && isBeforeClosing && (
        <DangerButton
          right="LOTTERIES_WRITE"
          label={texts.cancel}
          explanation={texts.cancelExplanation}
          name={name}
          act={() => cancel.mutateAsync({ input: { lotteryDrawId: id } })}
          done={texts.cancelled}
        />
      )}
    </Group>
  )
}
