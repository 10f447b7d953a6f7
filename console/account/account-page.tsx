import { Badge, Group, SimpleGrid, Stack } from '@mantine/core'
import { useState } from 'react'
import { usePageSearch } from '../client/link.tsx'
import { usePage } from '../client/use-page.ts'
import { account } from '../generated/account.ts'
import type { AccountQuery } from '../generated/types.ts'
import { pageOf } from '../parts/connection-table.tsx'
import { Facts } from '../parts/facts.tsx'
import { dateText, humanized } from '../parts/formats.ts'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { accountTexts as texts } from '../texts/account-texts.ts'
import { ChangePasswordForm } from './change-password.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SignInList } from './sign-in-list.tsx'
import { TurnOffSecondFactor } from './turn-off-second-factor.tsx'
import { TurnOnSecondFactor } from './turn-on-second-factor.tsx'

type Viewer = AccountQuery['viewer']
type Member = NonNullable<Viewer['member']>

const Profile = ({ member, partner }: { member: Member; partner: Viewer['partner'] }) => (
  <Panel title={texts.profile}>
    <Facts
      of={[
        [texts.email, member.email],
        [texts.partner, partner.name],
        [texts.role, humanized(member.role)],
        [texts.since, dateText(member.createdAt)],
      ]}
    />
  </Panel>
)

const SecondFactor = ({ isOn }: { isOn: boolean }) => {
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null)
  return (
    <Panel title={texts.secondFactor} hint={texts.secondFactorHint}>
      <Group gap="sm">
        {isOn ? <TurnOffSecondFactor /> : <TurnOnSecondFactor onDone={setRecoveryCodes} />}
        <Badge color={isOn ? 'green' : 'gray'}>
          {isOn ? texts.secondFactorOn : texts.secondFactorOff}
        </Badge>
      </Group>
      <RecoveryCodes of={recoveryCodes} onClose={() => setRecoveryCodes(null)} />
    </Panel>
  )
}

/** The account of the member who is signed in. */
export const AccountPage = () => {
  const [search] = usePageSearch()
  const variables = pageOf(search, 25)
  const query = usePage(account, variables)
  return (
    <Page
      title={texts.title}
      description={texts.description}
      operation={account}
      variables={variables}
      asked={query}
    >
      {({ viewer: { member, partner, signIns } }) =>
        member && (
          <Stack>
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <Profile member={member} partner={partner} />
              <Stack>
                <Panel title={texts.password} hint={texts.passwordHint}>
                  <ChangePasswordForm />
                </Panel>
                <SecondFactor isOn={member.hasSecondFactor} />
              </Stack>
            </SimpleGrid>
            {signIns && <SignInList of={signIns} />}
          </Stack>
        )
      }
    </Page>
  )
}
