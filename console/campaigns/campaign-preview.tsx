import { useDeferredValue } from 'react'
import { phaseOf } from '../../src/campaigns/campaign-phase.rules.ts'
import { type CampaignView, campaignPage } from '../../src/pages/campaign-view.ts'
import { type BrandParts, brandOfForm, brandOver } from '../brand/brand-form.ts'
import { nobody, PageFrame, PictureNote, shownBrand } from '../brand/page-preview.tsx'
import { cspNonce } from '../csp-nonce.ts'
import type { CampaignPagePartFragment } from '../generated/types.ts'
import { Panel } from '../parts/panel.tsx'
import { shownZone } from '../shown-zone.ts'
import { campaignEditorTexts as texts } from '../texts/campaigns-texts.ts'
import type { CampaignValues } from './campaign-form.ts'
import type { ShownCampaign } from './campaign-lists.tsx'
import { prizeWinsOf } from './instant-win-editor.tsx'

export type PreviewedCampaign = ShownCampaign & CampaignPagePartFragment

const dateOf = (at: string | null) => (at ? new Date(at) : null)

/** What visitors would see of a campaign with these values. A draft is shown as if it were started. */
const viewOf = (of: PreviewedCampaign, values: CampaignValues, brand: BrandParts): CampaignView => {
  const winsOf = prizeWinsOf(of)
  const schedule = { startsAt: dateOf(values.startsAt), endsAt: dateOf(values.endsAt) }
  const status = of.status === 'DRAFT' ? 'ACTIVE' : of.status
  const phase = phaseOf({ ...schedule, status }, new Date())
  const hasCodes = phase === 'ACTIVE' && of.codesLeft.activeCount > 0
  return {
    name: values.name,
    description: values.description,
    partnerName: of.partnerName,
    timeZone: shownZone(),
    environment: of.environment,
    phase: phase === 'DRAFT' ? 'ACTIVE' : phase,
    startsAt: values.startsAt,
    endsAt: values.endsAt,
    participantCount: of.participantCount,
    needsUserToken: of.needsUserToken,
    takesCodes: phase !== 'UPCOMING' && (values.hasInstantWin || hasCodes),
    referrerPoints: values.hasReferrals ? Number(values.referralRules.referrerPoints) : null,
    eventRules: values.eventRules.map(({ eventType, points }) => ({
      eventType,
      points: Number(points),
    })),
    prizes: values.hasInstantWin
      ? values.instantWinRules.prizeTiers.map((prize) => ({
          name: prize.name,
          points: Number(prize.points),
          maxWins: Number(prize.maxWins),
          remainingCount: Math.max(0, Number(prize.maxWins) - winsOf(prize)),
        }))
      : [],
    leaders: [...of.leaders],
    brand: shownBrand(brand),
  }
}

/** A preview of the public page during editing, rendered by the code of the page itself. */
export const CampaignPreview = (props: {
  of: PreviewedCampaign
  values: CampaignValues
  /** The brand of the partner. */
  brand: BrandParts
}) => {
  const { of } = props
  const values = useDeferredValue(props.values)
  const brand = brandOver(brandOfForm(values.brand), props.brand)
  const [, , partnerSlug = ''] = new URL(of.pageUrl).pathname.split('/')
  const seed = `${decodeURIComponent(partnerSlug)}/${of.slug}`
  const options = { seed, action: '', nonce: cspNonce() }
  return (
    <Panel
      title={texts.preview}
      hint={of.status === 'DRAFT' ? texts.previewOfDraft : texts.previewHint}
    >
      <PageFrame
        page={campaignPage(viewOf(of, values, brand), nobody, options)}
        title={texts.preview}
      />
      <PictureNote {...brand} />
    </Panel>
  )
}
