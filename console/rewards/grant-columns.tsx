/** Columns of lists of what users have been given. */
import { Text } from '@mantine/core'
import type { GrantRowFragment } from '../generated/types.ts'
import { column, sortable, timeColumn } from '../parts/columns.tsx'
import type { Column } from '../parts/connection-table.tsx'
import { numberText, timeText } from '../parts/formats.ts'
import type { ListOrders } from '../parts/list-order.ts'
import { Status } from '../parts/status.tsx'
import { grantsTexts as texts } from '../texts/rewards-texts.ts'
import { texts as shellTexts } from '../texts/shell-texts.ts'
import { priceText } from './sale.ts'

type GrantState = Pick<GrantRowFragment, 'status' | 'needsClaim' | 'failure' | 'codeShownAt'> & {
  reward: Pick<GrantRowFragment['reward'], 'kind'>
}

/** What a status means for this reward. */
export const grantStatusText = ({
  status,
  needsClaim,
  failure,
  codeShownAt,
  reward,
}: GrantState) => {
  if (status === 'READY' && !needsClaim) return texts.onItsWay
  if (status === 'FAILED' && failure) return texts.failures[failure]
  if (status === 'FULFILLED' && codeShownAt) return texts.codeSeen
  if (status === 'ISSUED' && reward.kind === 'ITEM') return texts.toHandOut
  return status === 'ISSUED' && reward.kind === 'CODE' ? texts.codeNotSeen : texts.statuses[status]
}

/** Whether a user has got something that was not handed out yet. */
export const isToHandOut = ({ status, reward }: Pick<GrantState, 'status' | 'reward'>) =>
  status === 'ISSUED' && (reward.kind === 'ITEM' || reward.kind === 'CODE')

const playsText = (count: number, until: string | null) => {
  const left = texts.playsLeft(numberText(count))
  return until && count > 0 ? texts.playsLeftUntil(left, timeText(until)) : left
}

/** Until when it is held or can be claimed or used, or what could not be taken back. */
const detailOf = (of: GrantRowFragment) => {
  const { status, price, heldUntil, claimExpiresAt, freePlaysLeft, playableUntil, shortfall } = of
  if (status === 'HELD' && heldUntil) return texts.heldUntil(timeText(heldUntil))
  if (status === 'READY' && claimExpiresAt) return texts.claimUntil(timeText(claimExpiresAt))
  if (status === 'ISSUED' && freePlaysLeft !== null) return playsText(freePlaysLeft, playableUntil)
  if (status === 'CANCELLED' && price !== null) return texts.refunded(priceText(price) ?? '')
  return shortfall ? texts.shortfall(numberText(shortfall)) : null
}

const Small = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed" mt={2} maw={260} style={{ overflowWrap: 'anywhere' }}>
    {children}
  </Text>
)

const GrantStatus = ({ of }: { of: GrantRowFragment }) => {
  const detail = detailOf(of)
  return (
    <>
      <Status of={isToHandOut(of) ? 'PENDING' : of.status} label={grantStatusText(of)} />
      {detail && <Small>{detail}</Small>}
      {of.message && <Small>{shellTexts.quoted(of.message)}</Small>}
    </>
  )
}

const GrantSource = ({ of: { source, price, note } }: { of: GrantRowFragment }) => {
  const paid = priceText(price)
  return (
    <>
      {texts.sources[source]}
      {paid && <Small>{texts.boughtFor(paid)}</Small>}
      {note && <Small>{note}</Small>}
    </>
  )
}

export const grantOrders = { CREATED_AT: 'DESC' } as const

/** @param orders the direction of the first click, for a list that begins with the oldest */
export const grantColumns = <Row extends GrantRowFragment>(
  orders: ListOrders<'CREATED_AT'> = grantOrders,
): Column<Row>[] => [
  column(texts.status, (grant) => <GrantStatus of={grant} />),
  column(texts.source, (grant) => <GrantSource of={grant} />),
  sortable(
    orders,
    'CREATED_AT',
    timeColumn(texts.given, ({ createdAt }) => createdAt),
  ),
]
