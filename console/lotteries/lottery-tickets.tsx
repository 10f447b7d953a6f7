import { Stack } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import { useChange } from '../client/use-change.ts'
import { cancelLotteryTicket } from '../generated/lottery.ts'
import { column, menuColumn, statusColumn, timeColumn } from '../parts/columns.tsx'
import { Command } from '../parts/command.tsx'
import { lotteryEntryCommand } from '../parts/commands.ts'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { DangerButton } from '../parts/danger-button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { moneyText } from '../parts/formats.ts'
import { IconTicket } from '../parts/icons.ts'
import { PageSkeleton } from '../parts/page.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { lotteriesTexts, drawsTexts as texts } from '../texts/lotteries-texts.ts'
import { Numbers } from './numbers.tsx'
import type { ShownLottery } from './shown-lottery.ts'

type Ticket = NonNullable<ShownLottery['tickets']>['nodes'][number]

type Holder = Pick<Ticket, 'user' | 'externalId' | 'email'>

/** Who holds a ticket: a user, or an e-mail address. */
export const TicketHolder = ({ of: { user, externalId, email } }: { of: Holder }) =>
  user ? <UserLink of={user} /> : (externalId ?? email)

const CancelTicket = ({ of: { id, ticketRef } }: { of: Ticket }) => {
  const change = useChange(cancelLotteryTicket)
  return (
    <DangerButton
      right="PLAY"
      size="xs"
      label={texts.cancelTicket}
      explanation={texts.cancelTicketExplanation}
      name={ticketRef}
      act={() => change.mutateAsync({ input: { lotteryTicketId: id } })}
      done={texts.ticketCancelled}
    />
  )
}

const columnsOf = (lotteryId: string): Column<Ticket>[] => [
  column(texts.ticket, ({ ticketRef }) => ticketRef),
  column(texts.user, (ticket) => <TicketHolder of={ticket} />),
  column(texts.draw, ({ draw }) => (
    <PageLink page="lotteries" id={lotteryId} search={{ draw: draw.id }} size="sm">
      {lotteriesTexts.drawName(draw.number)}
    </PageLink>
  )),
  statusColumn(texts.status, ({ status }) => status),
  column(texts.numbers, ({ lines }) => (
    <Stack gap={4}>
      {lines.map((line, i) => (
        <Numbers key={i} of={line} size="sm" />
      ))}
    </Stack>
  )),
  column(
    texts.win,
    ({ winTier, winAmount }) => winTier && winAmount && `${winTier}, ${moneyText(winAmount)}`,
  ),
  timeColumn(texts.time, ({ createdAt }) => createdAt),
  menuColumn(
    ({ ticketRef }) => ticketRef,
    (ticket) =>
      ticket.status === 'ACTIVE' && ticket.draw.status === 'OPEN' && <CancelTicket of={ticket} />,
  ),
]

/** The next step of a lottery without tickets. */
const firstStep = ({ status, slug }: ShownLottery) => {
  if (status === 'DRAFT') return { text: texts.startFirst }
  if (status !== 'ACTIVE') return { text: texts.noTickets }
  return { text: texts.firstTicket, action: <Command text={lotteryEntryCommand(slug)} /> }
}

/** The tickets of the partner's users, newest first. */
export const LotteryTickets = ({ of }: { of: ShownLottery }) =>
  of.tickets ? (
    <ConnectionTable
      label={lotteriesTexts.tabs.tickets}
      of={of.tickets}
      columns={columnsOf(of.id)}
      idOf={({ id }) => id}
      empty={<EmptyState icon={IconTicket} {...firstStep(of)} />}
    />
  ) : (
    <PageSkeleton />
  )
