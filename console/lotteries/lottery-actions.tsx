import { lazyRouteComponent } from '@tanstack/react-router'
import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { useViewer } from '../client/viewer.tsx'
import { deleteLottery, endLottery, pauseLottery, startLottery } from '../generated/lottery.ts'
import type { LotterySetUpFragment } from '../generated/types.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { LifecycleButtons } from '../parts/lifecycle-buttons.tsx'
import { lotteriesTexts as texts } from '../texts/lotteries-texts.ts'

/** Whether the partner of the member owns a lottery, or the member operates the service. */
export const useManages = ({ partner }: Pick<LotterySetUpFragment, 'partner'>) => {
  const viewer = useViewer()
  return viewer.member?.isOperator === true || partner?.id === viewer.partner.id
}

// Loaded when it is opened.
export const LotteryCheck = lazyRouteComponent(() => import('./lottery-check.tsx'), 'LotteryCheck')

const DeleteDraft = ({ of: { id, name } }: { of: LotterySetUpFragment }) => {
  const goTo = useGoTo()
  const remove = useChange(deleteLottery, { leave: () => goTo({ page: 'lotteries' }) })
  return (
    <DangerButton
      right="LOTTERIES_WRITE"
      label={texts.delete}
      explanation={texts.deleteExplanation}
      name={name}
      act={() => remove.mutateAsync({ input: { lottery: { id } } })}
      done={texts.deleted}
    />
  )
}

/** The actions for a lottery in its status. */
export const LotteryActions = ({ of }: { of: LotterySetUpFragment }) => {
  const { id, status, name } = of
  const start = useChange(startLottery)
  const pause = useChange(pauseLottery)
  const end = useChange(endLottery)
  const input = { lottery: { id } }
  if (!useManages(of)) return null
  return (
    <LifecycleButtons
      right="LOTTERIES_WRITE"
      {...{ name, status, texts }}
      start={() => start.mutateAsync({ input })}
      pause={() => pause.mutateAsync({ input })}
      end={() => end.mutateAsync({ input })}
      checks={{
        start: (frame) => <LotteryCheck of={of} frame={frame} to="start" />,
        pause: (frame) => <LotteryCheck of={of} frame={frame} to="pause" />,
      }}
      remove={<DeleteDraft of={of} />}
    />
  )
}
