import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { createGoal } from '../generated/goals.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { NameFields } from '../parts/name-fields.tsx'
import { RadioField } from '../parts/radio-field.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { goalTemplateTexts, goalsTexts as texts } from '../texts/goals-texts.ts'
import { type GoalTemplate, goalTemplates } from './goal-templates.ts'

const initialValues = { name: '', slug: '', template: 'points' as GoalTemplate }

/** Creates a draft from a template and opens its set-up. */
export const NewGoal = () => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(createGoal)
  const goTo = useGoTo()
  const form = useForm({ initialValues })
  return (
    <>
      <RightButton right="PROGRAMME_WRITE" onClick={open}>
        {texts.create}
      </RightButton>
      <FormDialog
        title={texts.create}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={async ({ name, slug, template }) => {
          const input = { ...goalTemplates[template], name, slug }
          const { goal } = await change.mutateAsync({ input })
          goTo({ page: 'goals', id: goal.id, search: { tab: 'setup' } })
        }}
        submitLabel={texts.create}
        done={texts.created}
      >
        <NameFields
          form={form}
          nameLabel={texts.name}
          nameLength={100}
          slugLabel={texts.slug}
          slugHint={texts.slugHint}
          slugLength={64}
        />
        <RadioField
          label={texts.template}
          choices={goalTemplateTexts}
          {...form.getInputProps('template')}
        />
      </FormDialog>
    </>
  )
}
