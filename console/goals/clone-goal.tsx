import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { cloneGoal } from '../generated/goal.ts'
import type { GoalSetUpFragment } from '../generated/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { NameFields } from '../parts/name-fields.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { slugFrom } from '../parts/slug.ts'
import { goalsTexts as texts } from '../texts/goals-texts.ts'

/** Copies a goal to a draft and opens its set-up. */
export const CloneGoal = ({ of }: { of: GoalSetUpFragment }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(cloneGoal)
  const goTo = useGoTo()
  const form = useForm({ initialValues: { name: of.name, slug: slugFrom(of.name) } })
  return (
    <>
      <RightButton right="PROGRAMME_WRITE" variant="default" onClick={open}>
        {texts.clone}
      </RightButton>
      <FormDialog
        title={texts.clone}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={async (values) => {
          const { goal } = await change.mutateAsync({ input: { goal: { id: of.id }, ...values } })
          goTo({ page: 'goals', id: goal.id, search: { tab: 'setup' } })
        }}
        submitLabel={texts.clone}
        done={texts.cloned}
      >
        <Text size="sm">{texts.cloneHint}</Text>
        <NameFields
          form={form}
          nameLabel={texts.name}
          nameLength={100}
          slugLabel={texts.slug}
          slugHint={texts.slugHint}
          slugLength={64}
        />
      </FormDialog>
    </>
  )
}
