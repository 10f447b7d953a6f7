import { request } from '../client/request.ts'
import { useEnvironment } from '../client/viewer.tsx'
import { exportUser } from '../generated/user.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { jsonText } from '../parts/copied-text.tsx'
import { download } from '../parts/download.ts'
import { usersTexts as texts } from '../texts/users-texts.ts'

/** Everything that is stored about a user, as a file for them. */
export const ExportUserButton = ({ userId, name }: { userId: string; name: string }) => {
  const environment = useEnvironment()
  const save = async () => {
    const { userData: found } = await request(exportUser, { by: { id: userId } }, environment)
    download(`user-${name.replace(/[^\w.-]+/g, '-')}.json`, jsonText(found), 'application/json')
  }
  return <ActionButton right="EXPORT" label={texts.exportUser} act={save} done={texts.exported} />
}
