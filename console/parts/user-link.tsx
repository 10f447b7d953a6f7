import { Text } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import type { UserNameFragment } from '../generated/types.ts'

/** A link to the page of a user: their name, with the partner's id below it. */
export const UserLink = ({ of }: { of: UserNameFragment }) => (
  <>
    <PageLink page="users" id={of.id} size="sm" fw={600}>
      {of.displayName ?? of.externalId}
    </PageLink>
    {of.displayName && (
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {of.externalId}
      </Text>
    )}
  </>
)
