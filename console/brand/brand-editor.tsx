import { Box, Grid, Stack } from '@mantine/core'
import { ConflictRefusal } from '../client/change.ts'
import { request } from '../client/request.ts'
import { useChange } from '../client/use-change.ts'
import { useEnvironment } from '../client/viewer.tsx'
import { brand, updateBrand } from '../generated/brand.ts'
import type { BrandQuery, BrandSetUpFragment, UpdateBrandInput } from '../generated/types.ts'
import { EditorEnd, EditorForm, useEditor } from '../parts/editor.tsx'
import { Panel } from '../parts/panel.tsx'
import { brandTexts as texts } from '../texts/brand-texts.ts'
import { LegalFields, LookFields } from './brand-fields.tsx'
import {
  type BrandForm,
  brandOfForm,
  inputOfBrand,
  linesOfBrand,
  valuesOfBrand,
} from './brand-form.ts'
import { BrandPreview } from './page-preview.tsx'

/** Changes the brand. It has no global id, so a conflict does not return the current one, and it is fetched. */
const useUpdateBrand = () => {
  const environment = useEnvironment()
  const change = useChange(updateBrand)
  return async (input: UpdateBrandInput): Promise<BrandSetUpFragment> => {
    try {
      return (await change.mutateAsync({ input })).brand
    } catch (cause) {
      if (!(cause instanceof ConflictRefusal)) throw cause
      const { viewer } = await request(brand, {}, environment)
      const current = viewer.partner.brand
      const { code, message, requestId } = cause
      throw new ConflictRefusal(
        { code, message, currentVersion: current.version, current },
        requestId,
      )
    }
  }
}

/** Edits the brand of the partner, next to a sample page with it. */
export const BrandEditor = ({ of: partner }: { of: BrandQuery['viewer']['partner'] }) => {
  const update = useUpdateBrand()
  const { form, editor } = useEditor<BrandForm, BrandSetUpFragment>({
    of: partner.brand,
    valuesOf: (of = partner.brand) => {
      const values = valuesOfBrand(of)
      return { ...values, language: values.language || 'EN' }
    },
    linesOf: linesOfBrand,
    done: texts.saved,
    send: (values, expectedVersion) => update({ ...inputOfBrand(values), expectedVersion }),
  })
  const fields = { values: form.values, inputProps: form.getInputProps }
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <EditorForm of={editor}>
          <Stack gap="md">
            <Panel title={texts.look}>
              <LookFields {...fields} />
            </Panel>
            <Panel title={texts.legal}>
              <LegalFields {...fields} />
            </Panel>
            <EditorEnd of={editor} right="CAMPAIGNS_WRITE" />
          </Stack>
        </EditorForm>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <Box pos="sticky" top={72}>
          <BrandPreview of={partner} brand={brandOfForm(form.values)} />
        </Box>
      </Grid.Col>
    </Grid>
  )
}
