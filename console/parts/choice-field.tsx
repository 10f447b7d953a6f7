import { Select } from '@mantine/core'
import { usePageSearch } from '../client/link.tsx'
import { texts } from '../texts/shell-texts.ts'
import { humanized } from './formats.ts'

/** Filters a list by one of several values. The URL holds the choice. */
export const ChoiceField = (props: {
  label: string
  name: string
  values: readonly string[]
  labelOf?: (value: string) => string
  /** The default choice. */
  fallback?: string
  /** For many values: those that contain a typed text are offered. */
  isSearchable?: boolean
}) => {
  const { label, name, values, labelOf = humanized, fallback, isSearchable = false } = props
  const [search, setSearch] = usePageSearch()
  return (
    <Select
      aria-label={label}
      placeholder={label}
      searchable={isSearchable}
      clearable={fallback === undefined}
      clearButtonProps={{
        'aria-label': texts.clearOf(label),
        'aria-hidden': false,
        tabIndex: 0,
      }}
      allowDeselect={fallback === undefined}
      value={search[name] ?? fallback ?? null}
      onChange={(value) =>
        setSearch({
          [name]: value ?? undefined,
          ...(name === 'sort' && { order: undefined }),
          after: undefined,
          before: undefined,
        })
      }
      data={values.map((value) => ({ value, label: labelOf(value) }))}
      // Two fit in one row on a phone.
      flex={{ base: '1 1 8rem', xs: '0 0 180px' }}
    />
  )
}

/** The filter value in the URL, if the API knows it. */
export const chosen = <Value extends string>(
  value: string | undefined,
  values: readonly Value[],
): Value | undefined => values.find((item) => item === value)
