import type { ButtonProps } from '@mantine/core'
import { useChange } from '../client/use-change.ts'
import { useViewer } from '../client/viewer.tsx'
import { reinstateArenaAgent, suspendArenaAgent } from '../generated/agent.ts'
import type { ArenaAgentStatus } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { agentsTexts as texts } from '../texts/agents-texts.ts'

/** Suspends and reinstates an agent of any partner. Only operators see it. */
export const OperatorAgentActions = (
  props: Pick<ButtonProps, 'size'> & {
    of: { id: string; displayName: string; status: ArenaAgentStatus }
  },
) => {
  const { of, ...look } = props
  const { id, displayName, status } = of
  const suspend = useChange(suspendArenaAgent)
  const reinstate = useChange(reinstateArenaAgent)
  const { member } = useViewer()
  const input = { input: { arenaAgentId: id } }
  if (!member?.isOperator || status === 'RETIRED') return null
  if (status === 'SUSPENDED')
    return (
      <ActionButton
        right="ARENA_OPERATOR"
        label={texts.reinstate}
        act={() => reinstate.mutateAsync(input)}
        done={texts.reinstated}
        {...look}
      />
    )
  return (
    <DangerButton
      right="ARENA_OPERATOR"
      label={texts.suspend}
      explanation={texts.suspendExplanation}
      name={displayName}
      act={() => suspend.mutateAsync(input)}
      done={texts.suspended}
      {...look}
    />
  )
}
