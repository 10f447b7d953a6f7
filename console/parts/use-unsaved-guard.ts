import { useBlocker } from '@tanstack/react-router'
import type { Search } from '../client/link.tsx'
import { texts } from '../texts/shell-texts.ts'

type Place = { pathname: string; search: object }

/** Whether both places show the same form. Lists beside it may have turned to another page. */
const isSameForm = (first: Place, other: Place) =>
  first.pathname === other.pathname &&
  (first.search as Search)['tab'] === (other.search as Search)['tab']

/** Asks before leaving a page, or a tab of it, with unsaved changes. */
export const useUnsavedGuard = (isDirty: boolean) =>
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      !isSameForm(current, next) && !window.confirm(texts.unsaved),
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
  })
