import { Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense } from 'react'
import { useGoTo } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { startExport } from '../generated/exports.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { countText } from '../parts/formats.ts'
import { RightButton } from '../parts/right-button.tsx'
import { batchesTexts as texts } from '../texts/batches-texts.ts'
import type { ManyUsers } from './many-users.ts'

const OfferDialog = lazy(async () => ({
  default: (await import('./offer-dialog.tsx')).OfferDialog,
}))
const AdjustDialog = lazy(async () => ({
  default: (await import('./adjust-dialog.tsx')).AdjustDialog,
}))

const ExportUsers = ({ of: { filter } }: { of: ManyUsers }) => {
  const change = useChange(startExport)
  const goTo = useGoTo()
  return (
    <ActionButton
      right="EXPORT"
      size="sm"
      label={texts.export}
      act={async () => {
        const users = Object.keys(filter).length > 0 ? { filter: { users: filter } } : {}
        await change.mutateAsync({ input: { kind: 'USERS', format: 'CSV', ...users } })
        goTo({ page: 'exports' })
      }}
      done={texts.exportStarted}
    />
  )
}

/** Actions for all users who match a filter, also those that the page does not show. `children` are more of them. */
export const ActOnUsers = ({ of, children }: { of: ManyUsers; children?: ReactNode }) => {
  const offer = useDisclosure()
  const adjust = useDisclosure()
  if (of.count.value === 0) return null
  return (
    <Group gap="xs">
      <RightButton right="JOURNEYS_WRITE" variant="light" onClick={offer[1].open}>
        {texts.offerTo(countText(of.count))}
      </RightButton>
      <RightButton right="POINTS_ADJUST" variant="default" onClick={adjust[1].open}>
        {texts.adjustOf}
      </RightButton>
      {children}
      <ExportUsers of={of} />
      <Suspense>
        {offer[0] && <OfferDialog of={of} onClose={offer[1].close} />}
        {adjust[0] && <AdjustDialog of={of} onClose={adjust[1].close} />}
      </Suspense>
    </Group>
  )
}
