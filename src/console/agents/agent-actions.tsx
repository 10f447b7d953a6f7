import {
  activateArenaAgent,
  pauseArenaAgent,
  retireArenaAgent,
} from '../../generated/operations/agent.ts'
import { useChange } from '../client/use-change.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { agentsTexts as texts } from '../texts/agents-texts.ts'

export const AgentActions = (props: { id: string; name: string; status: string }) => {
  const { id, name, status } = props
  const activate = useChange(activateArenaAgent)
  const pause = useChange(pauseArenaAgent)
  const retire = useChange(retireArenaAgent)
  const input = { input: { agentId: id } }
  return (
    <>
      {(status === 'DRAFT' || status === 'PAUSED') && (
        <ActionButton
          right="ARENA_WRITE"
          label={texts.activate}
          act={() => activate.mutateAsync(input)}
          done={texts.done}
        />
      )}
      {status === 'ACTIVE' && (
        <ActionButton
          right="ARENA_WRITE"
          label={texts.pause}
          act={() => pause.mutateAsync(input)}
          done={texts.done}
        />
      )}
      {status !== 'RETIRED' && (
        <DangerButton
          right="ARENA_WRITE"
          label={texts.retire}
          explanation={texts.retireExplanation}
          name={name}
          act={() => retire.mutateAsync(input)}
          done={texts.done}
        />
      )}
    </>
  )
}
