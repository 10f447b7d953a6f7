import { lazyRouteComponent } from '@tanstack/react-router'
import { useChange } from '../client/use-change.ts'
import { usePage } from '../client/use-page.ts'
import { useEnvironment } from '../client/viewer.tsx'
import { brand, copyBrandToLive } from '../generated/brand.ts'
import { DangerButton } from '../parts/danger-button.tsx'
import { Page } from '../parts/page.tsx'
import { brandTexts as texts } from '../texts/brand-texts.ts'
import { pageNames } from '../texts/shell-texts.ts'

const BrandEditor = lazyRouteComponent(() => import('./brand-editor.tsx'), 'BrandEditor')

const CopyToLive = () => {
  const change = useChange(copyBrandToLive)
  return (
    <DangerButton
      right="CAMPAIGNS_WRITE"
      label={texts.copyToLive}
      explanation={texts.copyExplanation}
      name={pageNames.brand}
      act={() => change.mutateAsync({})}
      done={texts.copied}
    />
  )
}

/** What pages and widgets of the partner look like. */
export const BrandPage = () => {
  // Loads the editor in parallel with its data.
  BrandEditor.preload?.()
  const variables = {}
  const query = usePage(brand, variables)
  const isTest = useEnvironment() === 'TEST'
  const isSet = (query.data?.viewer.partner.brand.version ?? 0) > 0
  return (
    <Page
      title={pageNames.brand}
      description={texts.description}
      actions={isTest && isSet && <CopyToLive />}
      operation={brand}
      variables={variables}
      asked={query}
    >
      {({ viewer }) => <BrandEditor of={viewer.partner} />}
    </Page>
  )
}
