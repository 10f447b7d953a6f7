import { Center, Image, PasswordInput, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { renderSVG } from 'uqr'
import { useChange } from '../client/use-change.ts'
import { confirmTotp, startTotp } from '../generated/account.ts'
import { CopiedText } from '../parts/copied-text.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { RightButton } from '../parts/right-button.tsx'
import { accountTexts as texts } from '../texts/account-texts.ts'

type Totp = { secret: string; uri: string }

const QrCode = ({ uri }: { uri: string }) => (
  <Center>
    <Image
      src={`data:image/svg+xml,${encodeURIComponent(renderSVG(uri))}`}
      alt={texts.qrCode}
      w={200}
      h={200}
      radius="sm"
    />
  </Center>
)

const FirstCode = (props: {
  totp: Totp | null
  onClose: () => void
  onDone: (recoveryCodes: readonly string[]) => void
}) => {
  const { totp, onClose, onDone } = props
  const change = useChange(confirmTotp)
  const form = useForm({ initialValues: { code: '' } })
  return (
    <FormDialog
      title={texts.turnOnTitle}
      isOpen={totp !== null}
      onClose={onClose}
      form={form}
      submit={async ({ code }) =>
        onDone((await change.mutateAsync({ input: { code: code.trim() } })).recoveryCodes)
      }
      submitLabel={texts.turnOn}
    >
      <Text size="sm">{texts.scan}</Text>
      {totp && (
        <>
          <QrCode uri={totp.uri} />
          <CopiedText label={texts.key} text={totp.secret} />
        </>
      )}
      <TextInput
        label={texts.code}
        description={texts.codeHint}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        data-autofocus
        {...form.getInputProps('code')}
      />
    </FormDialog>
  )
}

/** The password, and then the first code of the app. */
export const TurnOnSecondFactor = (props: {
  onDone: (recoveryCodes: readonly string[]) => void
}) => {
  const [isOpen, { open, close }] = useDisclosure()
  const [totp, setTotp] = useState<Totp | null>(null)
  const change = useChange(startTotp)
  const form = useForm({ initialValues: { currentPassword: '' } })
  return (
    <>
      <RightButton right="OWN_ACCOUNT" onClick={open}>
        {texts.turnOn}
      </RightButton>
      <FormDialog
        title={texts.turnOnTitle}
        isOpen={isOpen}
        onClose={close}
        form={form}
        submit={async (input) => setTotp(await change.mutateAsync({ input }))}
        submitLabel={texts.continue}
      >
        <Text size="sm">{texts.confirmPassword}</Text>
        <PasswordInput
          label={texts.currentPassword}
          autoComplete="current-password"
          required
          data-autofocus
          {...form.getInputProps('currentPassword')}
        />
      </FormDialog>
      <FirstCode totp={totp} onClose={() => setTotp(null)} onDone={props.onDone} />
    </>
  )
}
