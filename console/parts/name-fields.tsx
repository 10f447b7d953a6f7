import { TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { slugFrom } from './slug.ts'

type NameForm = {
  values: { name: string; slug: string }
  getInputProps: (path: 'name' | 'slug') => GetInputPropsReturnType
  setFieldValue: (path: 'name' | 'slug', value: string) => void
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
  return (
    <>
      <TextInput
        label={nameLabel}
        required
        maxLength={nameLength}
        data-autofocus
        {...form.getInputProps('name')}
        onChange={({ currentTarget: { value } }) => {
          if (slug === slugFrom(name)) form.setFieldValue('slug', slugFrom(value))
          form.setFieldValue('name', value)
        }}
      />
      <TextInput
        label={slugLabel}
        description={slugHint}
        required
        maxLength={slugLength}
        {...form.getInputProps('slug')}
      />
    </>
  )
}
