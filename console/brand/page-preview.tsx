import { Box, Group, Text } from '@mantine/core'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { type CampaignView, campaignPage } from '../../src/pages/campaign-view.ts'
import { cspNonce } from '../csp-nonce.ts'
import type { BrandQuery } from '../generated/types.ts'
import { Panel } from '../parts/panel.tsx'
import { shownZone } from '../shown-zone.ts'
import { brandTexts } from '../texts/brand-texts.ts'
import { type BrandParts, isColor } from './brand-form.ts'
import classes from './page-preview.module.css'

/** The host of an address that may still be incomplete. */
const hostOf = (address: string | null) =>
  address && URL.canParse(address) ? new URL(address).host : null

/** A brand as the preview shows it: the policy of the console lets it load no pictures of other servers. */
export const shownBrand = ({ color, ...brand }: BrandParts) => ({
  ...brand,
  color: color && isColor(color) ? color : null,
  logoUrl: null,
  imageUrl: null,
})

/** Where the page loads pictures from that the preview leaves out. */
export const PictureNote = ({ logoUrl, imageUrl }: BrandParts) => {
  const hosts = [...new Set([hostOf(logoUrl), hostOf(imageUrl)].flatMap((host) => host || []))]
  return (
    hosts.length > 0 && (
      <Text size="sm" c="dimmed" mt="sm">
        {brandTexts.loadedFrom(hosts.join(', '))}
      </Text>
    )
  )
}

/** A sample of a campaign for the preview of a brand. */
const sampleOf = (partnerName: string, brand: BrandParts): CampaignView => ({
  name: brandTexts.sample.name,
  description: brandTexts.sample.description,
  partnerName,
  timeZone: shownZone(),
  environment: 'LIVE',
  phase: 'ACTIVE',
  startsAt: null,
  endsAt: null,
  participantCount: 1280,
  needsUserToken: false,
  takesCodes: true,
  referrerPoints: 200,
  eventRules: [{ eventType: brandTexts.sample.eventType, points: 100 }],
  prizes: [{ name: brandTexts.sample.prize, points: 5000, maxWins: 100, remainingCount: 64 }],
  leaders: [],
  brand: shownBrand(brand),
})

export const nobody = { userId: '', isKnown: false, code: '' }

/** The part of a page that shows its colors. */
const lookOf = (page: Document | null | undefined) => page?.querySelector('style')

/**
 * A page in a frame, which runs no scripts and sends no forms. It is loaded once; then only its body, language and colors
 * change, so that it stays where the reader has scrolled.
 */
export const PageFrame = ({ page, title }: { page: string; title: string }) => {
  const frame = useRef<HTMLIFrameElement>(null)
  const [firstPage] = useState(page)
  useEffect(() => {
    const shown = frame.current?.contentDocument
    const next = new DOMParser().parseFromString(page, 'text/html')
    if (!shown?.body) return
    shown.body.innerHTML = next.body.innerHTML
    shown.documentElement.lang = next.documentElement.lang
    const look = lookOf(shown)
    const text = lookOf(next)?.textContent ?? ''
    if (look && look.textContent !== text) look.textContent = text
  }, [page])
  return (
    <iframe
      ref={frame}
      className={classes['page']}
      srcDoc={firstPage}
      sandbox="allow-same-origin"
      title={title}
    />
  )
}

/** A preview of a sample page with a brand, on a light and on a dark page. */
export const BrandPreview = (props: { of: BrandQuery['viewer']['partner']; brand: BrandParts }) => {
  const { of } = props
  const brand = useDeferredValue(props.brand)
  const view = sampleOf(of.name, brand)
  const pageIn = (theme: 'light' | 'dark') =>
    campaignPage(view, nobody, { seed: of.slug, action: '', nonce: cspNonce(), theme })
  return (
    <Panel title={brandTexts.preview} hint={brandTexts.previewHint}>
      <Group gap="md" justify="center">
        {(['light', 'dark'] as const).map((theme) => (
          <Box key={theme} className={classes['phone']}>
            <PageFrame page={pageIn(theme)} title={brandTexts.previewIn[theme]} />
          </Box>
        ))}
      </Group>
      <PictureNote {...brand} />
    </Panel>
  )
}
