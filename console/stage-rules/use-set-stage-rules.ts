import { ConflictRefusal } from '../client/change.ts'
import { request } from '../client/request.ts'
import { useChange } from '../client/use-change.ts'
import { useEnvironment } from '../client/viewer.tsx'
import { classificationRules, setClassificationRules } from '../generated/stage-rules.ts'
import type { SetClassificationRulesInput } from '../generated/types.ts'

/**
 * Sets the rules of stages. They have no global id, so a conflict does not return them, and they are fetched.
 * The function throws ConflictRefusal with the current rules.
 */
export const useSetStageRules = () => {
  const environment = useEnvironment()
  const change = useChange(setClassificationRules)
  return async (input: SetClassificationRulesInput) => {
    try {
      return (await change.mutateAsync({ input })).classificationRules
    } catch (cause) {
      if (!(cause instanceof ConflictRefusal)) throw cause
      const { classificationRules: current } = await request(classificationRules, {}, environment)
      const { code, message, requestId } = cause
      throw new ConflictRefusal(
        { code, message, currentVersion: current.version, current },
        requestId,
      )
    }
  }
}
