import { DataList } from '@mantine/core'
import type { ReactNode } from 'react'

/** The known facts about one object, one per line. Unknown ones are left out. */
export const Facts = ({ of }: { of: readonly (readonly [label: string, value: ReactNode])[] }) => (
  <DataList gap="xs" labelWidth="clamp(6rem, 40%, 10.5rem)">
    {of
      .filter(
        ([, value]) => value !== null && value !== undefined && value !== '' && value !== false,
      )
      .map(([label, value]) => (
        <DataList.Item key={label}>
          <DataList.ItemLabel style={{ flex: '0 0 var(--data-list-label-width)' }}>
            {label}
          </DataList.ItemLabel>
          <DataList.ItemValue miw={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </DataList.ItemValue>
        </DataList.Item>
      ))}
  </DataList>
)
