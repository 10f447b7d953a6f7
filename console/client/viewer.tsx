import { createContext, type ReactNode, useContext } from 'react'
import type { Environment } from '../environment.ts'
import type { ViewerQuery } from '../generated/types.ts'
import { showTimesIn } from '../shown-zone.ts'
import { texts } from '../texts/shell-texts.ts'

type Viewer = ViewerQuery['viewer']
export type RightName = Viewer['rights'][number]

/** The requirement of a button: a right, or being an operator who changes the arena. */
export type Requirement = RightName | 'ARENA_OPERATOR'

const EnvironmentContext = createContext<Environment>('TEST')
const ViewerContext = createContext<Viewer | null>(null)

export const useEnvironment = () => useContext(EnvironmentContext)

/** The member who is signed in. */
export const useViewer = (): Viewer => {
  const viewer = useContext(ViewerContext)
  if (!viewer) throw new Error('useViewer is used outside of the console')
  return viewer
}

const missingRight = (
  { rights, member }: Viewer,
  environment: Environment,
  right: Requirement | undefined,
): string | null => {
  const isTest = environment === 'TEST'
  // The arena is public and shared.
  if ((right === 'ARENA_WRITE' || right === 'ARENA_OPERATOR') && isTest) return texts.liveOnly
  if (right === 'ARENA_OPERATOR') return member?.isOperator ? null : texts.operatorsOnly
  return right === undefined || rights.includes(right)
    ? null
    : texts.missingRight(member?.role ?? '')
}

/** Why the member may not do something; null if they may. */
export const useMissingRight = (right: Requirement | undefined): string | null =>
  missingRight(useViewer(), useEnvironment(), right)

/** Whether the member may do something, for lists of actions. */
export const useMayDo = () => {
  const viewer = useViewer()
  const environment = useEnvironment()
  return (right: Requirement) => missingRight(viewer, environment, right) === null
}

export const EnvironmentProvider = (props: { environment: Environment; children: ReactNode }) => (
  <EnvironmentContext value={props.environment}>{props.children}</EnvironmentContext>
)

/** Shows everything in the time zone of the partner. Another one builds the page anew, with all of its times. */
export const ViewerProvider = (props: { viewer: Viewer; children: ReactNode }) => {
  const { timeZone } = props.viewer.partner
  showTimesIn(timeZone)
  return (
    <ViewerContext key={timeZone} value={props.viewer}>
      {props.children}
    </ViewerContext>
  )
}
