import { TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { slugFrom } from './slug.ts'

type NameForm = {
  values: { name: string; slug: string }
  getInputProps: (path: 'name' | 'slug') => GetInputPropsReturnType
}

/** The name and the slug of a new object. The slug follows the name until it is typed by hand. */
export const NameFields = (props: {
  form: NameForm
  nameLabel: string
  nameLength: number
  slugLabel: string
  slugHint: string
  slugLength: number
}) => {
  const { form, nameLabel, nameLength, slugLabel, slugHint, slugLength } = props
  const { name, slug } = form.values
  const [nameProps, slugProps] = [form.getInputProps('name'), form.getInputProps('slug')]
  return (
    <>
      <TextInput
        label={nameLabel}
        required
        maxLength={nameLength}
        data-autofocus
        {...nameProps}
        onChange={({ currentTarget: { value } }) => {
          if (slug === slugFrom(name)) slugProps.onChange(slugFrom(value))
          nameProps.onChange(value)
        }}
      />
      <TextInput
        label={slugLabel}
        description={slugHint}
        required
        maxLength={slugLength}
        {...slugProps}
      />
    </>
  )
}
