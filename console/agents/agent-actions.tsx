import { useChange } from '../client/use-change.ts'
import { activateArenaAgent, pauseArenaAgent, retireArenaAgent } from '../generated/agent.ts'
import type { AgentDetailsFragment } from '../generated/types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { agentsTexts as texts } from '../texts/agents-texts.ts'
import { EditAgent } from './edit-agent.tsx'

/** The owner's actions for an agent in its status. */
export const AgentActions = ({ of }: { of: AgentDetailsFragment }) => {
  const { id, displayName, status } = of
  const activate = useChange(activateArenaAgent)
  const pause = useChange(pauseArenaAgent)
  const retire = useChange(retireArenaAgent)
  const input = { input: { arenaAgentId: id } }
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
        <>
          <EditAgent of={of} />
          <DangerButton
            right="ARENA_WRITE"
            label={texts.retire}
            explanation={texts.retireExplanation}
            name={displayName}
            act={() => retire.mutateAsync(input)}
            done={texts.done}
          />
        </>
      )}
    </>
  )
}
