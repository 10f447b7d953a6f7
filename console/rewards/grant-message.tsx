import { Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { grantsTexts as texts } from '../texts/rewards-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'

type MessageFieldProps = {
  label?: string
  description: string
  value?: string
  onChange?: (value: string) => void
}

/** What the user reads about a reward. */
export const MessageField = ({ onChange, ...props }: MessageFieldProps) => (
  <Textarea
    label={texts.message}
    autosize
    minRows={2}
    maxRows={6}
    maxLength={500}
    onChange={({ currentTarget: { value } }) => onChange?.(value)}
    {...props}
  />
)

/** A message as the API takes it. */
export const messageOf = (text: string) => text.trim() || null

/** A button that changes what a user has been given, with an optional message to the user. */
export const MessageButton = (props: {
  label: string
  /** The name of the reward. */
  name: string
  explanation: string
  hint: string
  done: string
  variant?: 'filled' | 'default'
  act: (message: string | null) => Promise<unknown>
}) => {
  const { label, name, explanation, hint, done, variant = 'default', act } = props
  const [isOpen, { open, close }] = useDisclosure()
  const form = useForm({ initialValues: { message: '' } })
  return (
    <>
      <RightButton right="GRANTS_WRITE" size="xs" variant={variant} onClick={open}>
        {label}
      </RightButton>
      <FormDialog
        title={`${label} ${shellTexts.quoted(name)}`}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={({ message }) => act(messageOf(message))}
        submitLabel={label}
        done={done}
      >
        <Text size="sm">{explanation}</Text>
        <MessageField description={hint} {...form.getInputProps('message')} />
      </FormDialog>
    </>
  )
}
