/** The form values of an application, and their conversion to the input of the API. */
import type { ApplicationRowFragment, UpdateApplicationInput } from '../generated/types.ts'
import { jsonText } from '../parts/copied-text.tsx'
import { applicationsTexts as texts } from '../texts/applications-texts.ts'

export type TokenSigner = keyof typeof texts.signerChoices

export const signerOf = ({ userTokenSigner: signer }: ApplicationRowFragment): TokenSigner => {
  if (!signer) return 'TESSERA'
  return signer.jwksUrl === null ? 'KEYS' : 'ADDRESS'
}

export const valuesOfApplication = (of: ApplicationRowFragment) => ({
  name: of.name,
  publicProfileVisibility: of.publicProfileVisibility,
  userTokenPolicy: of.userTokenPolicy,
  signer: signerOf(of),
  jwksUrl: of.userTokenSigner?.jwksUrl ?? '',
  jwks: of.userTokenSigner?.jwks ? jsonText(of.userTokenSigner.jwks) : '',
})

export type ApplicationValues = ReturnType<typeof valuesOfApplication>

export const faultOfKeys = ({ signer, jwks }: ApplicationValues): string | null => {
  if (signer !== 'KEYS') return null
  try {
    JSON.parse(jwks)
    return null
  } catch {
    return texts.notJson
  }
}

type Signing = Pick<UpdateApplicationInput, 'userTokenSigner'>

const signingOf = ({ signer, jwksUrl, jwks }: ApplicationValues): Signing => {
  if (signer === 'ADDRESS') return { userTokenSigner: { jwksUrl } }
  if (signer === 'KEYS') return { userTokenSigner: { jwks: JSON.parse(jwks) } }
  return { userTokenSigner: null }
}

/** The field of the form that holds a field of the input. An error in one of the keys is shown at all of them. */
export const applicationFieldOf = (path: string): string => {
  const [field = path, inner] = path.split('.')
  return field === 'userTokenSigner' ? (inner ?? 'signer') : field
}

/** Only the fields that were edited, so that concurrent changes of other fields are kept. */
export const changesOfApplication = (before: ApplicationValues, after: ApplicationValues) => {
  const [old, signing] = [signingOf(before), signingOf(after)]
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(after.publicProfileVisibility !== before.publicProfileVisibility && {
      publicProfileVisibility: after.publicProfileVisibility,
    }),
    ...(after.userTokenPolicy !== before.userTokenPolicy && {
      userTokenPolicy: after.userTokenPolicy,
    }),
    ...(JSON.stringify(signing) !== JSON.stringify(old) && signing),
  }
}
