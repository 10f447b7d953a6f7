import { type FormErrors, useForm } from '@mantine/form'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import type { RightName } from '../client/viewer.tsx'
import { RefusalNotice } from './refusal-notice.tsx'
import { SaveBar } from './save-bar.tsx'
import { useSubmit } from './use-submit.ts'
import { useUnsavedGuard } from './use-unsaved-guard.ts'
import { type FormLines, useVersions } from './use-versions.ts'

// Loaded when there is a conflict.
const ConflictDialog = lazyRouteComponent(() => import('./conflict-dialog.tsx'), 'ConflictDialog')

/** The form of a versioned object, on its own page. Asks before discarding unsaved changes. */
export const useEditor = <
  Values extends Record<string, unknown>,
  Of extends { readonly id?: string; readonly version: number },
>(props: {
  /** The object as last read; undefined if it does not exist yet. */
  of: Of | undefined
  valuesOf: (of: Of | undefined) => Values
  linesOf: (values: Values) => FormLines
  /** Returns the errors of fields before the form is sent. */
  validate?: (values: Values) => FormErrors
  /** Saves over the version that the form shows, and returns the saved object. */
  send: (values: Values, expectedVersion: number) => Promise<Of>
  /** Asks before it is saved. Throws if it is not to be saved. */
  confirm?: (values: Values) => Promise<void>
  /** The message on success. */
  done: string
  /** The field of the form that holds a field of the input, where their names differ. */
  nameOf?: (path: string) => string
}) => {
  const { of, valuesOf, linesOf, validate = () => ({}), confirm, send, done, nameOf } = props
  const form = useForm<Values>({ initialValues: valuesOf(of), validate })
  const isDirty = form.isDirty()
  const { change, conflict } = useVersions<Values, Of>({ form, of, valuesOf, linesOf })
  const submit = async (values: Values) => {
    await confirm?.(values)
    await change(send)(values)
  }
  const { save, error, isBusy } = useSubmit({ form, done, nameOf, submit })
  useUnsavedGuard(isDirty)
  return { form, editor: { save, error, isBusy, isDirty, conflict, isNew: of === undefined } }
}

type Editor = ReturnType<typeof useEditor>['editor']

export const EditorForm = ({ of, children }: { of: Editor; children: ReactNode }) => (
  <>
    <form onSubmit={of.save}>{children}</form>
    <Suspense>{of.conflict && <ConflictDialog of={of.conflict} onSave={of.save} />}</Suspense>
  </>
)

/** The end of the form: the error, whether everything is saved, and the save button beside `children`. */
export const EditorEnd = (props: {
  of: Editor
  right: RightName
  onSave?: () => void
  children?: ReactNode
}) => {
  const { of, right, onSave, children } = props
  return (
    <>
      {of.error && <RefusalNotice error={of.error} />}
      <SaveBar
        {...{ right, children }}
        {...(onSave && { onSave })}
        isDirty={of.isDirty}
        isBusy={of.isBusy}
        isNew={of.isNew}
      />
    </>
  )
}
