import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ConflictRefusal } from '../client/change.ts'

/** All fields of a form with their values, as text. */
export type FormLines = readonly (readonly [label: string, text: string])[]

/** Two people have changed the same object, and the second one decides. */
export type VersionConflict = {
  /** The global id of the object; null if it has none or no longer exists. */
  targetId: string | null
  /** Whether the form would have created the object, which already exists. */
  isNew: boolean
  mine: FormLines
  /** Null if the object no longer exists. */
  theirs: FormLines | null
  /** Loads the other person's version into the form. */
  load: () => void
  /** Lets the next save replace the other person's version. */
  overrule: () => void
  /** Returns to the form unchanged. */
  dismiss: () => void
}

/** Some objects have no global id. */
type Thing = { readonly id?: string; readonly version: number }

const areSame = (some: FormLines, others: FormLines) =>
  JSON.stringify(some) === JSON.stringify(others)

/**
 * Saves over a version. Retries over a later version that has the same form values.
 * @throws ConflictRefusal
 */
const saveAt = async <Of extends Thing>(
  version: number,
  save: (version: number) => Promise<Of>,
  isSame: (current: Of) => boolean,
): Promise<Of> => {
  try {
    return await save(version)
  } catch (cause) {
    if (!(cause instanceof ConflictRefusal) || !cause.current || !isSame(cause.current as Of))
      throw cause
    return saveAt(cause.currentVersion, save, isSame)
  }
}

/**
 * Tracks the version that a form shows, so that nobody's change is overwritten unnoticed. An unedited form follows the
 * changes of others.
 */
// Long: the states of one form, and the transitions between them.
export const useVersions = <Values extends Record<string, unknown>, Of extends Thing>(props: {
  form: UseFormReturnType<Values>
  /** The object as last read; undefined if it does not exist yet. */
  of: Of | undefined
  valuesOf: (of: Of | undefined) => Values
  linesOf: (values: Values) => FormLines
}) => {
  const { form, of, valuesOf, linesOf } = props
  const queries = useQueryClient()
  const [conflict, setConflict] = useState<VersionConflict | null>(null)
  /** The version and the values that the form started from. */
  const seen = useRef({ version: of?.version ?? 0, lines: linesOf(valuesOf(of)) })

  const load = (thing: Of | undefined) => {
    const values = valuesOf(thing)
    seen.current = { version: thing?.version ?? 0, lines: linesOf(values) }
    form.setInitialValues(values)
    form.setValues(values)
    form.resetDirty(values)
    form.clearErrors()
    setConflict(null)
  }

  const follow = useEffectEvent((version: number) => {
    if (version <= seen.current.version) return
    // Starting and pausing are changes, too, but not of the form values.
    if (areSame(linesOf(valuesOf(of)), seen.current.lines)) seen.current.version = version
    else if (!form.isDirty()) load(of)
  })
  useEffect(() => follow(of?.version ?? 0), [of?.version])

  const raise = ({ current, currentVersion }: ConflictRefusal, values: Values) => {
    const thing = (current ?? undefined) as Of | undefined
    setConflict({
      targetId: thing?.id ?? null,
      isNew: of === undefined && seen.current.version === 0,
      mine: linesOf(values),
      theirs: thing ? linesOf(valuesOf(thing)) : null,
      load: () => {
        load(thing)
        queries.invalidateQueries()
      },
      overrule: () => {
        seen.current.version = currentVersion
        setConflict(null)
      },
      dismiss: () => setConflict(null),
    })
  }

  /** Shows the saved state of the server, unless more was typed in the meantime. */
  const settle = (saved: Of, sent: FormLines) => {
    if (areSame(linesOf(form.getValues()), sent)) return load(saved)
    const values = valuesOf(saved)
    seen.current = { version: saved.version, lines: linesOf(values) }
    form.resetDirty(values)
  }

  /** Runs a change of the version that the form shows. `save` returns the changed object. */
  const change =
    (save: (values: Values, expectedVersion: number) => Promise<Of>) =>
    async (values: Values): Promise<void> => {
      const { version, lines } = seen.current
      try {
        const isSame = (thing: Of) => areSame(linesOf(valuesOf(thing)), lines)
        const saved = await saveAt(version, (expected) => save(values, expected), isSame)
        settle(saved, linesOf(values))
      } catch (cause) {
        if (cause instanceof ConflictRefusal) raise(cause, values)
        throw cause
      }
    }

  return { change, conflict, load }
}
