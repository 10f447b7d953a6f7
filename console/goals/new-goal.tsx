import { useChange } from '../client/use-change.ts'
import { createGoal } from '../generated/goals.ts'
import { NewDraft } from '../parts/new-draft.tsx'
import { RadioField } from '../parts/radio-field.tsx'
import { goalTemplateTexts, goalsTexts as texts } from '../texts/goals-texts.ts'
import { type GoalTemplate, goalTemplates } from './goal-templates.ts'

const initialValues = { name: '', slug: '', template: 'points' as GoalTemplate }

/** Creates a draft from a template and opens its set-up. */
export const NewGoal = () => {
  const change = useChange(createGoal)
  return (
    <NewDraft
      right="PROGRAMME_WRITE"
      page="goals"
      label={texts.create}
      done={texts.created}
      texts={texts}
      lengths={{ name: 100, slug: 64 }}
      slugHint={() => texts.slugHint}
      initialValues={initialValues}
      create={async ({ name, slug, template }) => {
        const input = { ...goalTemplates[template], name, slug }
        return (await change.mutateAsync({ input })).goal
      }}
    >
      {(form) => (
        <RadioField
          label={texts.template}
          choices={goalTemplateTexts}
          {...form.getInputProps('template')}
        />
      )}
    </NewDraft>
  )
}
