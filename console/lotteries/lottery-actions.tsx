import { lazyRouteComponent } from '@tanstack/react-router'
import { useChange } from '../client/use-change.ts'
import { useViewer } from '../client/viewer.tsx'
import { endLottery, pauseLottery, startLottery } from '../generated/lottery.ts'
import type { LotterySetUpFragment } from '../generated/types.ts'
import { LifecycleButtons } from '../parts/lifecycle-buttons.tsx'
import { lotteriesTexts as texts } from '../texts/lotteries-texts.ts'

/** Whether the partner of the member owns a lottery, or the member operates the service. */
export const useManages = ({ partner }: Pick<LotterySetUpFragment, 'partner'>) => {
  const viewer = useViewer()
  return viewer.member?.isOperator === true || partner?.id === viewer.partner.id
}

// Loaded when it is opened.
const checks = () => import('./lottery-checks.tsx')
const LotteryStartCheck = lazyRouteComponent(checks, 'LotteryStartCheck')
const LotteryPauseCheck = lazyRouteComponent(checks, 'LotteryPauseCheck')

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
        start: (frame) => <LotteryStartCheck of={of} frame={frame} />,
        pause: (frame) => <LotteryPauseCheck of={of} frame={frame} />,
      }}
    />
  )
}
