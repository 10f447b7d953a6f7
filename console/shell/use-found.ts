import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { PageName, PagePlace } from '../client/link.tsx'
import { request } from '../client/request.ts'
import { useEnvironment, useViewer } from '../client/viewer.tsx'
import { find } from '../generated/palette.ts'
import type { FindQuery } from '../generated/types.ts'
import { humanized, timeText } from '../parts/formats.ts'
import { paletteTexts as texts } from '../texts/palette-texts.ts'
import { pageNames } from '../texts/shell-texts.ts'
import { teamTexts } from '../texts/team-texts.ts'

/** An object that was found, and where it is. */
type Found = { id: string; label: string; description?: string; place: PagePlace }

/** The objects of one kind. `page` gives the icon. */
export type FoundGroup = { group: string; page: PageName; found: Found[] }

/** `Orchard draw 12` may mean draw 12 of a lottery. */
const readDraw = (term: string): { lottery: string; drawNumber?: number } => {
  const words = term.split(/[\s,#]+/).filter(Boolean)
  const number = words.pop() ?? ''
  if (words.length === 0 || !/^\d{1,6}$/.test(number)) return { lottery: term }
  if (words.length > 1 && words.at(-1)?.toLowerCase() === 'draw') words.pop()
  return { lottery: words.join(' '), drawNumber: Number(number) }
}

/** What may be a code of a batch: up to four letters or digits of the campaign, and eight that are not mistaken. */
const isCode = (term: string) =>
  /^[a-z\d]{1,4}[a-hj-km-np-z2-9]{8}$/i.test(term.replace(/[\s\p{Pd}]/gu, ''))

const isTicket = (term: string) => /^LX-\d{4}-\d{4}-[a-z\d]{4}$/i.test(term)

const nodesOf = <Node>(list: { readonly nodes: readonly Node[] } | null | undefined) =>
  list?.nodes ?? []

const group = (page: PageName, found: Found[], name: string = pageNames[page]): FoundGroup => ({
  group: name,
  page,
  found,
})

type Named = { readonly id: string; readonly name: string }

const named = (page: PageName, nodes: readonly Named[]) =>
  group(
    page,
    nodes.map(({ id, name }) => ({ id, label: name, place: { page, id } })),
  )

const drawsIn = (data: FindQuery): Found[] =>
  nodesOf(data.withDraws).flatMap(({ id: lotteryId, name, draws }) =>
    draws.nodes.map(({ id, number, closesAt }) => ({
      id,
      label: texts.draw(name, number),
      description: texts.closes(timeText(closesAt)),
      place: { page: 'lotteries', id: lotteryId, search: { draw: id } } as const,
    })),
  )

const ticketsIn = ({ lotteryTicketsByRef: tickets }: FindQuery): Found[] =>
  (tickets ?? []).map(({ id, ticketRef, lottery, draw }) => ({
    id,
    label: ticketRef,
    description: texts.draw(lottery.name, draw.number),
    place: { page: 'lotteries', id: lottery.id, search: { draw: draw.id } },
  }))

const batchName = ({ label, campaign }: { label: string | null; campaign: { name: string } }) =>
  label ?? campaign.name

/** The batch of a code. The code itself stays out of the address: whoever has it can redeem it. */
const codesIn = ({ campaignCode: code }: FindQuery): Found[] =>
  code
    ? [
        {
          id: `code-${code.codeBatch.id}`,
          label: texts.code(batchName(code.codeBatch)),
          description: humanized(code.status),
          place: { page: 'codes', id: code.codeBatch.id },
        },
      ]
    : []

const rulesIn = (data: FindQuery, term: string): Found[] =>
  (data.offerRules ?? [])
    .filter(({ title }) => title.toLowerCase().includes(term.toLowerCase()))
    .slice(0, 4)
    .map(({ id, title, stage }) => ({
      id,
      label: title,
      description: humanized(stage),
      place: { page: 'offers' },
    }))

const programmeIn = (data: FindQuery, term: string): FoundGroup[] => [
  named('campaigns', nodesOf(data.campaigns)),
  named('goals', nodesOf(data.goals)),
  named('rewards', nodesOf(data.rewards)),
  named('lotteries', nodesOf(data.lotteries)),
  group('lotteries', drawsIn(data), texts.draws),
  group('lotteries', ticketsIn(data), texts.tickets),
  named('segments', nodesOf(data.segments)),
  group('offers', rulesIn(data, term)),
  group('codes', [
    ...codesIn(data),
    ...nodesOf(data.codeBatches).map((batch) => ({
      id: batch.id,
      label: batchName(batch),
      place: { page: 'codes', id: batch.id } as const,
    })),
  ]),
]

const accountIn = (data: FindQuery): FoundGroup[] => [
  group(
    'webhooks',
    nodesOf(data.webhookEndpoints).map(({ id, url, description }) => ({
      id,
      label: url.replace(/^https?:\/\//, ''),
      ...(description && { description }),
      place: { page: 'webhooks', id },
    })),
  ),
  group(
    'keys',
    nodesOf(data.apiKeys).map(({ id, label, kind, lastFour }) => ({
      id,
      label: label ?? humanized(kind),
      description: texts.key(lastFour),
      place: { page: 'keys' },
    })),
  ),
  group(
    'team',
    nodesOf(data.members).map(({ id, email, role }) => ({
      id,
      label: email,
      description: teamTexts.roleNames[role],
      place: { page: 'team', search: { search: email } },
    })),
  ),
  group(
    'agents',
    nodesOf(data.arenaAgents).map(({ id, displayName }) => ({
      id,
      label: displayName,
      place: { page: 'agents', id },
    })),
  ),
  named('arena-games', nodesOf(data.arenaGames)),
  group(
    'partners',
    nodesOf(data.platform?.partners).map(({ id, name, slug }) => ({
      id,
      label: name,
      description: slug,
      place: { page: 'partners', search: { search: slug } },
    })),
  ),
]

const usersIn = (data: FindQuery): FoundGroup[] => [
  group(
    'users',
    nodesOf(data.users).map(({ id, displayName, externalId }) => ({
      id,
      label: displayName ?? externalId,
      ...(displayName && { description: externalId }),
      place: { page: 'users', id },
    })),
  ),
]

/** What the member may see of the objects that the typed text names. Without text there is no query. */
export const useFound = (typed: string) => {
  const environment = useEnvironment()
  const { rights, member } = useViewer()
  const [term] = useDebouncedValue(typed.trim(), 200)
  const [isRead, isArena] = [rights.includes('READ'), rights.includes('ARENA_READ')]
  const variables = {
    term,
    ...readDraw(term),
    code: term,
    ticketRef: term.toUpperCase(),
    isRead,
    isCode: isRead && isCode(term),
    isTicket: isRead && isTicket(term),
    isKeys: rights.includes('KEYS_READ'),
    isMembers: rights.includes('MEMBERS_READ'),
    isArena,
    isOperator: member?.isOperator ?? false,
  }
  const enabled = (isRead || isArena) && term !== ''
  const { data } = useQuery({
    queryKey: [environment, find.name, term],
    queryFn: ({ signal }) => request(find, variables, environment, signal),
    enabled,
  })
  const groups =
    enabled && data ? [...programmeIn(data, term), ...accountIn(data), ...usersIn(data)] : []
  return { groups, isCodeFound: Boolean(enabled && data?.campaignCode), isRead }
}
