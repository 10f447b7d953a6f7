import { usePage } from '../client/use-page.ts'
import { classificationRules } from '../generated/stage-rules.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { Page } from '../parts/page.tsx'
import { stageRulesTexts as texts } from '../texts/stage-rules-texts.ts'
import { StageRulesEditor } from './stage-rules-editor.tsx'
import { useSetStageRules } from './use-set-stage-rules.ts'

const UseDefaults = ({ version }: { version: number }) => {
  const set = useSetStageRules()
  return (
    <DangerButton
      right="JOURNEYS_WRITE"
      label={texts.useDefaults}
      explanation={texts.defaultsExplanation}
      name={texts.title}
      act={() => set({ expectedVersion: version })}
      done={texts.defaultsUsed}
    />
  )
}

export const StageRulesPage = () => {
  const variables = {}
  const query = usePage(classificationRules, variables)
  const rules = query.data?.classificationRules
  return (
    <Page
      title={texts.title}
      description={texts.description}
      // Version 0: no rules were set, so the defaults apply.
      actions={rules && rules.version > 0 && <UseDefaults version={rules.version} />}
      operation={classificationRules}
      variables={variables}
      asked={query}
    >
      {(data) => <StageRulesEditor of={data.classificationRules} />}
    </Page>
  )
}
