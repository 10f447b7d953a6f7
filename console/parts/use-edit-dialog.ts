import { type UseFormInput, useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'

/** A form in a dialog. Each time it is opened, it starts with the current values. */
export const useEditDialog = <Values extends Record<string, unknown>>(
  values: Values,
  validate?: UseFormInput<Values>['validate'],
) => {
  const [isOpen, { open, close }] = useDisclosure()
  const form = useForm<Values>({ initialValues: values, ...(validate && { validate }) })
  const start = () => {
    form.setInitialValues(values)
    form.reset()
    open()
  }
  return { form, isOpen, start, close }
}
