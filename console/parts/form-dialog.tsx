import { Button, Group, Modal, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { texts } from '../texts/shell-texts.ts'
import { RefusalNotice } from './refusal-notice.tsx'
import { OutsideRowMenu } from './row-menu.tsx'
import { useSubmit } from './use-submit.ts'
import type { VersionConflict } from './use-versions.ts'

// Loaded when there is a conflict.
const ConflictDialog = lazyRouteComponent(() => import('./conflict-dialog.tsx'), 'ConflictDialog')

type FormDialogProps<Values extends Record<string, unknown>> = {
  title: string
  isOpen: boolean
  onClose: () => void
  form: UseFormReturnType<Values>
  /** Makes the change. Errors are shown at the fields that they name. */
  submit: (values: Values) => Promise<unknown>
  submitLabel?: string
  /** Whether the form may be sent. */
  isReady?: boolean
  /** The message on success. */
  done?: string
  size?: string
  /** The field of the form that holds a field of the input, where their names differ. */
  nameOf?: (path: string) => string
  /** The conflict of `useVersions`. Its dialog replaces the form. */
  conflict?: VersionConflict | null
  /** The check of the change, while it is shown. It replaces the form. */
  check?: ReactNode
  children: ReactNode
}

/** A form in a dialog. However it is closed, it opens again with its initial values. */
// Long: the form, its buttons, and the question that may replace it.
export const FormDialog = <Values extends Record<string, unknown>>(
  props: FormDialogProps<Values>,
) => {
  const { title, isOpen, onClose, form, submit, submitLabel, done, size = 'md', nameOf } = props
  const { conflict = null, check, isReady = true, children } = props
  const close = () => {
    onClose()
    form.reset()
  }
  const { save, error, isBusy, forget } = useSubmit({
    form,
    done,
    nameOf,
    submit: async (values) => {
      await submit(values)
      close()
    },
  })
  const isDirty = form.isDirty()
  const leave = () => {
    forget()
    close()
  }
  return (
    <>
      <Modal
        opened={isOpen && !conflict && !check}
        onClose={leave}
        title={title}
        size={size}
        // Escape also closes a calendar or a list in the form. The input is kept.
        closeOnEscape={!isDirty}
        closeOnClickOutside={!isDirty}
      >
        <form onSubmit={save}>
          <Stack gap="sm">
            <OutsideRowMenu>{children}</OutsideRowMenu>
            {error && <RefusalNotice error={error} />}
            <Group justify="flex-end" mt="sm">
              <Button variant="default" onClick={leave}>
                {texts.cancel}
              </Button>
              <Button type="submit" loading={isBusy} disabled={!isReady}>
                {submitLabel ?? texts.save}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      <Suspense>
        {check}
        {conflict && (
          <ConflictDialog
            of={conflict}
            onSave={() => save()}
            onLoad={() => conflict.theirs === null && close()}
          />
        )}
      </Suspense>
    </>
  )
}
