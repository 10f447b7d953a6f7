import { Kbd, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { usePageSearch } from '../client/link.tsx'
import { IconSearch } from './icons.ts'

/** Searches a list while typing. The URL holds the term. The key `/` focuses the field. */
export const SearchField = (props: {
  label: string
  name?: string
  /** False for all but the first field of a page, which the key focuses. */
  hasKey?: boolean
  maxLength?: number
}) => {
  const { label, name = 'search', hasKey = true, maxLength } = props
  const [search, setSearch] = usePageSearch()
  const inAddress = search[name] ?? ''
  const [term, setTerm] = useState(inAddress)
  const applied = useRef(inAddress)
  const apply = useDebouncedCallback((value: string) => {
    applied.current = value
    setSearch(
      { [name]: value || undefined, after: undefined, before: undefined },
      { replace: true },
    )
  }, 300)
  // The back button changes the URL, too.
  useEffect(() => {
    if (inAddress === applied.current) return
    applied.current = inAddress
    setTerm(inAddress)
  }, [inAddress])
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={maxLength}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={hasKey && term === '' && <Kbd size="xs">/</Kbd>}
      value={term}
      onChange={({ currentTarget: { value } }) => {
        setTerm(value)
        apply(value)
      }}
      w={{ base: '100%', xs: 280 }}
    />
  )
}
