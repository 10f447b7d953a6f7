import type { ButtonProps } from '@mantine/core'
import { useChange } from '../client/use-change.ts'
import { revokeCode } from '../generated/codes.ts'
import type { CampaignCodeBy } from '../generated/types.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { codesTexts as texts } from '../texts/codes-texts.ts'

type Props = Pick<ButtonProps, 'mt'> & {
  of: CampaignCodeBy
  /** What is known of the text of the code. */
  name: string
}

/** Revokes one code of a batch. */
export const RevokeCode = ({ of: campaignCode, name, ...rest }: Props) => {
  const change = useChange(revokeCode)
  return (
    <DangerButton
      right="CAMPAIGNS_WRITE"
      label={texts.revokeCode}
      explanation={texts.revokeCodeExplanation}
      name={name}
      isOneOfMany
      act={() => change.mutateAsync({ input: { campaignCode } })}
      done={texts.revokedCode}
      {...rest}
    />
  )
}
