import { Text } from '@mantine/core'
import { PageLink } from '../client/link.tsx'
import type { UserNameFragment } from '../generated/types.ts'
import { isLongId, ShortId, shortIdOf } from './short-id.tsx'

const isShortened = ({ displayName, externalId }: UserNameFragment) =>
  displayName === null && isLongId(externalId)

/** A link to the page of a user: their name, with the partner's id below it. */
export const UserLink = ({ of }: { of: UserNameFragment }) => (
  <>
    <PageLink
      page="users"
      id={of.id}
      size="sm"
      fw={600}
      // The page of the user has the whole id, with a button that copies it.
      {...(isShortened(of) && { 'aria-label': of.externalId, title: of.externalId })}
    >
      {of.displayName ?? shortIdOf(of.externalId)}
    </PageLink>
    {of.displayName && (
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        <ShortId of={of.externalId} />
      </Text>
    )}
  </>
)
