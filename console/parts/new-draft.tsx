import { Text } from '@mantine/core'
import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { type PageName, useGoTo } from '../client/link.tsx'
import type { RightName } from '../client/viewer.tsx'
import { FormDialog } from './form-dialog.tsx'
import { NameFields } from './name-fields.tsx'
import { RightButton } from './right-button.tsx'
import { useCreateDialog } from './use-create-dialog.ts'

type Named = { name: string; slug: string }

type NewDraftProps<Values extends Named> = {
  right: RightName
  /** The page on whose set-up the draft is opened. */
  page: PageName
  /** The text of the button, of the title and of the button that sends. */
  label: string
  /** The message on success. */
  done: string
  variant?: 'default'
  hint?: string
  texts: { name: string; slug: string }
  lengths: { name: number; slug: number }
  slugHint: (slug: string) => string
  initialValues: Values
  /** The faults that the form finds before it is sent. */
  validate?: (values: Values) => FormErrors
  create: (values: Values) => Promise<{ id: string }>
  /** Fields beside the name and the slug. */
  children?: (form: UseFormReturnType<Values>) => ReactNode
}

/** A button and the dialog in which it creates a draft, whose set-up opens then. */
export const NewDraft = <Values extends Named>(props: NewDraftProps<Values>) => {
  const { right, page, label, done, variant, hint, texts, lengths, slugHint } = props
  const { initialValues, validate = () => ({}), create, children } = props
  const [isOpen, { open, close }] = useCreateDialog(right, variant === undefined)
  const goTo = useGoTo()
  const form = useForm<Values>({ initialValues, validate })
  return (
    <>
      <RightButton right={right} onClick={open} {...(variant && { variant })}>
        {label}
      </RightButton>
      <FormDialog
        title={label}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={async (values) => {
          const { id } = await create(values)
          goTo({ page, id, search: { tab: 'setup' } })
        }}
        submitLabel={label}
        done={done}
      >
        {hint && <Text size="sm">{hint}</Text>}
        <NameFields
          form={form}
          nameLabel={texts.name}
          nameLength={lengths.name}
          slugLabel={texts.slug}
          slugHint={slugHint(form.values.slug)}
          slugLength={lengths.slug}
        />
        {children?.(form)}
      </FormDialog>
    </>
  )
}
