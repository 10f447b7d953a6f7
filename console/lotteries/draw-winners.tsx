import { Table } from '@mantine/core'
import { column } from '../parts/columns.tsx'
import { type Column, ConnectionTable } from '../parts/connection-table.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { moneyText, numberText } from '../parts/formats.ts'
import { IconConfetti } from '../parts/icons.ts'
import { Panel } from '../parts/panel.tsx'
import { drawsTexts as texts } from '../texts/lotteries-texts.ts'
import { TicketHolder } from './lottery-tickets.tsx'
import { Numbers } from './numbers.tsx'
import type { ShownDraw } from './shown-draw.ts'

/** How many lines won each prize, and what they were paid. */
export const DrawPrizes = ({ of }: { of: ShownDraw }) => (
  <Panel title={texts.prizes}>
    <Table.ScrollContainer minWidth={320}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.prize}</Table.Th>
            <Table.Th ta="right">{texts.winners}</Table.Th>
            <Table.Th ta="right">{texts.payout}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {of.tiers.map(({ name, winnerCount, payout }) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td ta="right">{numberText(winnerCount)}</Table.Td>
              <Table.Td ta="right">{moneyText(payout)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  </Panel>
)

type Winner = ShownDraw['winners']['nodes'][number]

const columns: Column<Winner>[] = [
  column(texts.prize, ({ tier }) => tier),
  column(texts.user, ({ ticket }) => <TicketHolder of={ticket} />),
  column(texts.ticket, ({ ticket }) => ticket.ticketRef),
  column(texts.line, ({ line }) => <Numbers of={line} size="sm" />),
  { ...column(texts.amount, ({ amount }: Winner) => moneyText(amount)), textAlign: 'right' },
]

/** The winning lines of the partner's users. */
export const DrawWinners = ({ of }: { of: ShownDraw }) => (
  <Panel title={texts.winners} hint={texts.winnersHint} isFramed={false}>
    <ConnectionTable
      label={texts.winners}
      of={of.winners}
      columns={columns}
      idOf={({ ticket, line }) => `${ticket.id} ${line.main.join()}+${line.bonus.join()}`}
      empty={
        <EmptyState
          icon={IconConfetti}
          text={of.status === 'COMPLETED' ? texts.noWinners : texts.notDrawn}
        />
      }
    />
  </Panel>
)
