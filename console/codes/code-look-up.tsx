import { Alert, Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { PageLink } from '../client/link.tsx'
import type { CodesQuery } from '../generated/types.ts'
import { Facts } from '../parts/facts.tsx'
import { numberText } from '../parts/formats.ts'
import { IconSearch } from '../parts/icons.ts'
import { Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { UserLink } from '../parts/user-link.tsx'
import { RelativeTime } from '../parts/when.tsx'
import { codesTexts as texts } from '../texts/codes-texts.ts'
import { RevokeCode } from './revoke-code.tsx'

type Found = CodesQuery['campaignCode']

const FoundCode = ({ of }: { of: NonNullable<Found> }) => {
  const { status, codeBatch, redemption, revokedAt } = of
  return (
    <Facts
      of={[
        [texts.status, <Status key="status" of={status} />],
        [
          texts.batch,
          <PageLink key="batch" inherit page="codes" id={codeBatch.id}>
            {codeBatch.label ?? texts.unnamed}
          </PageLink>,
        ],
        [
          texts.campaign,
          <PageLink key="campaign" inherit page="campaigns" id={codeBatch.campaign.id}>
            {codeBatch.campaign.name}
          </PageLink>,
        ],
        [texts.points, numberText(codeBatch.points)],
        [
          texts.expires,
          codeBatch.expiresAt && <RelativeTime key="expires" at={codeBatch.expiresAt} />,
        ],
        [texts.redeemedBy, redemption && <UserLink key="user" of={redemption.user} />],
        [texts.redeemedAt, redemption && <RelativeTime key="at" at={redemption.redeemedAt} />],
        [texts.revoked, revokedAt && <RelativeTime key="revoked" at={revokedAt} />],
      ]}
    />
  )
}

type LookUpProps = { asked: string; found: Found | undefined; ask: (code: string) => void }

/** Shows the state of one code, which can be revoked. */
export const CodeLookUp = ({ asked: query, found, ask }: LookUpProps) => {
  const [code, setCode] = useState('')
  return (
    <Panel title={texts.lookUp} hint={texts.lookUpHint}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          ask(code.trim())
        }}
      >
        <Group gap="xs" mb={query ? 'md' : 0}>
          <TextInput
            aria-label={texts.lookUp}
            placeholder="SUMM-7K2PQ9XW"
            maxLength={255}
            spellCheck={false}
            autoComplete="off"
            ff="monospace"
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
            w={{ base: '100%', xs: 280 }}
          />
          <Button
            type="submit"
            variant="default"
            leftSection={<IconSearch size={14} aria-hidden />}
          >
            {texts.find}
          </Button>
        </Group>
      </form>
      <div role="status">
        {query && found && <FoundCode of={found} />}
        {query && found && !found.redemption && found.status !== 'REVOKED' && (
          <RevokeCode key={query} mt="md" of={{ code: query }} name={query} />
        )}
        {query && found === null && <Alert color="gray">{texts.noSuchCode}</Alert>}
      </div>
    </Panel>
  )
}
