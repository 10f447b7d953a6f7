import { Group } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { PageLink } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { scheduleLotteryDraw } from '../generated/lottery.ts'
import type { DrawRowFragment } from '../generated/types.ts'
import { column, numberColumn, statusColumn, timeColumn } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { moneyText } from '../parts/formats.ts'
import { IconWand } from '../parts/icons.ts'
import { MomentField } from '../parts/moment-field.tsx'
import { PageSkeleton } from '../parts/page.tsx'
import { faultOfPast } from '../parts/past.ts'
import { RightButton } from '../parts/right-button.tsx'
import { lotteriesTexts, drawsTexts as texts } from '../texts/lotteries-texts.ts'
import { useManages } from './lottery-actions.tsx'
import { Numbers } from './numbers.tsx'
import type { ShownLottery } from './shown-lottery.ts'

const columnsOf = (lotteryId: string): Column<DrawRowFragment>[] => [
  column(texts.draw, ({ id, number }) => (
    <PageLink page="lotteries" id={lotteryId} search={{ draw: id }} size="sm" fw={600}>
      {lotteriesTexts.drawName(number)}
    </PageLink>
  )),
  statusColumn(texts.status, ({ status }) => status),
  timeColumn(texts.closes, ({ closesAt }) => closesAt),
  column(texts.numbers, (draw) => (draw.main.length > 0 ? <Numbers of={draw} /> : null)),
  numberColumn(texts.tickets, ({ ticketCount }) => ticketCount),
  {
    ...column(texts.payout, ({ payout }: DrawRowFragment) => payout && moneyText(payout)),
    textAlign: 'right',
  },
]

const NewDraw = ({ lotteryId }: { lotteryId: string }) => {
  const [isOpen, { open, close }] = useDisclosure()
  const change = useChange(scheduleLotteryDraw)
  const form = useForm({
    initialValues: { opensAt: null as string | null, closesAt: null as string | null },
    validate: { closesAt: (at) => (at ? faultOfPast(at) : texts.closesMissing) },
  })
  return (
    <>
      <RightButton right="LOTTERIES_WRITE" variant="default" onClick={open}>
        {texts.schedule}
      </RightButton>
      <FormDialog
        title={texts.schedule}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={({ opensAt, closesAt }) =>
          change.mutateAsync({
            input: { lottery: { id: lotteryId }, opensAt, closesAt: closesAt ?? '' },
          })
        }
        submitLabel={texts.schedule}
        done={texts.scheduled}
      >
        <MomentField
          label={texts.opens}
          description={texts.opensHint}
          clearable
          {...form.getInputProps('opensAt')}
        />
        <MomentField label={texts.closes} isAhead {...form.getInputProps('closesAt')} />
      </FormDialog>
    </>
  )
}

/** All draws of a lottery, newest first. */
export const LotteryDraws = ({ of }: { of: ShownLottery }) => {
  const isOver = of.status === 'ENDED' || of.status === 'EXPIRED'
  const isManaged = useManages(of)
  if (!of.draws) return <PageSkeleton />
  return (
    <>
      {isManaged && !isOver && (
        <Group justify="flex-end" mb="sm">
          <NewDraw lotteryId={of.id} />
        </Group>
      )}
      <ConnectionTable
        label={lotteriesTexts.tabs.draws}
        of={of.draws}
        columns={columnsOf(of.id)}
        idOf={({ id }) => id}
        empty={<EmptyState icon={IconWand} text={texts.empty} />}
      />
    </>
  )
}
