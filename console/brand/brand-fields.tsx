import {
  ColorInput,
  ColorSwatch,
  Group,
  Input,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { accentOf } from '../../src/kit/accent.rules.ts'
import { brandTexts as texts } from '../texts/brand-texts.ts'
import { type BrandForm, type BrandParts, isColor } from './brand-form.ts'

export type BrandFieldsProps = {
  values: BrandForm
  /** The props of the input of a field, as of `form.getInputProps`. */
  inputProps: (field: keyof BrandForm) => object
  /** The brand of the partner, where a campaign replaces values of it. */
  inherited?: BrandParts
}

/** How pages show a color, where that differs from the color itself. */
const ColorNote = ({ color }: { color: string }) => {
  if (!isColor(color)) return null
  const accent = accentOf(color)
  const adjusted = (['light', 'dark'] as const).filter(
    (theme) => accent[theme] !== color.toLowerCase(),
  )
  return (
    <Stack gap={4} role="status">
      {adjusted.map((theme) => (
        <Group key={theme} gap="xs" wrap="nowrap">
          <ColorSwatch color={accent[theme]} size={16} aria-hidden />
          <Text size="xs" c="dimmed">
            {texts.adjusted(theme, accent[theme])}
          </Text>
        </Group>
      ))}
      {adjusted.length === 0 && (
        <Text size="xs" c="dimmed">
          {texts.asIs}
        </Text>
      )}
    </Stack>
  )
}

/** The hint of a field, with what the campaign shows while it is blank. */
const hintOf = (
  hint: string,
  inherited: BrandParts | undefined,
  value: string | null | undefined,
) => {
  if (!inherited) return hint
  return `${hint} ${value ? texts.inherited(value) : texts.inheritedNone}`
}

export const LookFields = ({ values, inputProps, inherited }: BrandFieldsProps) => (
  <Stack gap="sm">
    <TextInput
      label={texts.logo}
      description={hintOf(texts.logoHint, inherited, inherited?.logoUrl)}
      type="url"
      maxLength={2048}
      placeholder="https://"
      {...inputProps('logoUrl')}
    />
    <ColorInput
      label={texts.color}
      description={hintOf(texts.colorHint, inherited, inherited?.color)}
      maxLength={7}
      eyeDropperButtonProps={{ 'aria-label': texts.pickColor }}
      {...inputProps('color')}
    />
    <ColorNote color={values.color} />
    <TextInput
      label={texts.picture}
      description={hintOf(texts.pictureHint, inherited, inherited?.imageUrl)}
      type="url"
      maxLength={2048}
      placeholder="https://"
      {...inputProps('imageUrl')}
    />
  </Stack>
)

const languageName = (language: 'EN' | 'DE' | null | undefined) => texts.languages[language ?? 'EN']

const TermsFields = ({ values, inputProps, inherited }: BrandFieldsProps) => {
  const none = inherited ? texts.asBrand : texts.termsKinds.none
  const hasTerms = inherited && (inherited.terms || inherited.termsUrl)
  return (
    <>
      <Input.Wrapper label={texts.terms} labelElement="div">
        <SegmentedControl
          mt={4}
          fullWidth
          aria-label={texts.terms}
          data={[
            { value: 'none', label: none },
            { value: 'text', label: texts.termsKinds.text },
            { value: 'link', label: texts.termsKinds.link },
          ]}
          {...inputProps('termsKind')}
        />
      </Input.Wrapper>
      {inherited && values.termsKind === 'none' && (
        <Text size="xs" c="dimmed">
          {hasTerms ? texts.inheritedTerms : texts.inheritedNoTerms}
        </Text>
      )}
      {values.termsKind === 'text' && (
        <Textarea
          label={texts.termsText}
          required
          autosize
          minRows={4}
          maxRows={14}
          maxLength={10_000}
          {...inputProps('terms')}
        />
      )}
      {values.termsKind === 'link' && (
        <TextInput
          label={texts.termsLink}
          required
          type="url"
          maxLength={2048}
          placeholder="https://"
          {...inputProps('termsUrl')}
        />
      )}
    </>
  )
}

export const LegalFields = (props: BrandFieldsProps) => {
  const { inputProps, inherited } = props
  const languages = (['EN', 'DE'] as const).map((value) => ({
    value,
    label: texts.languages[value],
  }))
  const asBrand = { value: '', label: texts.languageAsBrand(languageName(inherited?.language)) }
  return (
    <Stack gap="sm">
      <Textarea
        label={texts.promoter}
        description={hintOf(texts.promoterHint, inherited, inherited?.promoter)}
        autosize
        minRows={1}
        maxLength={500}
        {...inputProps('promoter')}
      />
      <TermsFields {...props} />
      <Select
        label={texts.language}
        description={texts.languageHint}
        allowDeselect={false}
        data={inherited ? [asBrand, ...languages] : languages}
        {...inputProps('language')}
      />
    </Stack>
  )
}
