import { notifications } from '@mantine/notifications'
import { showSecret } from '../parts/secret-dialog.tsx'
import { teamTexts as texts } from '../texts/team-texts.ts'

/** Shows the link of an invitation once, or says that it is sent by mail. */
export const showInvitation = (made: { link: string | null; invitation: { email: string } }) => {
  const { link, invitation } = made
  const { email } = invitation
  if (link === null) notifications.show({ message: texts.sentByMail(email), color: 'teal' })
  else showSecret({ title: texts.linkTitle, hint: texts.linkHint(email), secret: link })
}
