/** The form values of an application, and their conversion to the input of the API. */
import type { ApplicationRowFragment, UpdateApplicationInput } from '../generated/types.ts'
import { jsonText } from '../parts/copied-text.tsx'
import { applicationsTexts as texts } from '../texts/applications-texts.ts'

export type TokenSigner = keyof typeof texts.signerChoices

export const signerOf = ({
  userTokenJwksUrl,
  userTokenKeys,
}: ApplicationRowFragment): TokenSigner => {
  if (userTokenJwksUrl !== null) return 'ADDRESS'
  return userTokenKeys === null ? 'TESSERA' : 'KEYS'
}

export const valuesOfApplication = (of: ApplicationRowFragment) => ({
  name: of.name,
  publicProfiles: of.publicProfiles,
  userTokens: of.userTokens,
  signer: signerOf(of),
  userTokenJwksUrl: of.userTokenJwksUrl ?? '',
  userTokenKeys: of.userTokenKeys === null ? '' : jsonText(of.userTokenKeys),
})

export type ApplicationValues = ReturnType<typeof valuesOfApplication>

export const faultOfKeys = ({ signer, userTokenKeys }: ApplicationValues): string | null => {
  if (signer !== 'KEYS') return null
  try {
    JSON.parse(userTokenKeys)
    return null
  } catch {
    return texts.notJson
  }
}

type Signing = Pick<UpdateApplicationInput, 'userTokenJwksUrl' | 'userTokenKeys'>

const signingOf = ({ signer, userTokenJwksUrl, userTokenKeys }: ApplicationValues): Signing => {
  if (signer === 'ADDRESS') return { userTokenJwksUrl }
  if (signer === 'KEYS') return { userTokenKeys: JSON.parse(userTokenKeys) }
  return { userTokenJwksUrl: null, userTokenKeys: null }
}

/** Only the fields that were edited, so that concurrent changes of other fields are kept. */
export const changesOfApplication = (before: ApplicationValues, after: ApplicationValues) => {
  const [old, signing] = [signingOf(before), signingOf(after)]
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(after.publicProfiles !== before.publicProfiles && { publicProfiles: after.publicProfiles }),
    ...(after.userTokens !== before.userTokens && { userTokens: after.userTokens }),
    ...(JSON.stringify(signing) !== JSON.stringify(old) && signing),
  }
}
