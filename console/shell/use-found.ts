import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { request } from '../client/request.ts'
import { useEnvironment, useMissingRight } from '../client/viewer.tsx'
import { find } from '../generated/palette.ts'

/** What the palette finds by the typed text, by the page of each object. Without text there is no query. */
export const useFound = (typed: string) => {
  const environment = useEnvironment()
  const [term] = useDebouncedValue(typed.trim(), 200)
  const enabled = useMissingRight('READ') === null && term !== ''
  const { data } = useQuery({
    queryKey: [environment, find.name, term],
    queryFn: ({ signal }) => request(find, { term }, environment, signal),
    enabled,
  })
  return {
    users: (enabled && data?.users.nodes) || [],
    campaigns: (enabled && data?.campaigns.nodes) || [],
    goals: (enabled && data?.goals.nodes) || [],
    rewards: (enabled && data?.rewards.nodes) || [],
    lotteries: (enabled && data?.lotteries.nodes) || [],
    segments: (enabled && data?.segments.nodes) || [],
    codes: ((enabled && data?.codeBatches.nodes) || []).map(({ id, label, campaign }) => ({
      id,
      name: label ?? campaign.name,
    })),
  }
}
