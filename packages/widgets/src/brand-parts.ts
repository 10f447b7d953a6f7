/** Logo, promoter, terms and picture of a brand, which are loaded where there are some. */
import { css, html, nothing, type TemplateResult } from 'lit'
import type { Brand } from './brand.ts'
import type { Say } from './texts.ts'

const shownTerms = ({ terms, termsUrl }: Brand, say: Say) => {
  if (termsUrl)
    return html`<a href=${termsUrl} target="_blank" rel="noopener">${say.text('terms')}</a>`
  return terms
    ? html`<details><summary>${say.text('terms')}</summary><p>${terms}</p></details>`
    : nothing
}

/** The line below a widget: logo, promoter and terms. */
export const brandLine = (brand: Brand, say: Say): TemplateResult | typeof nothing => {
  const { logoUrl, promoter, terms, termsUrl } = brand
  if (!logoUrl && !promoter && !terms && !termsUrl) return nothing
  return html`<footer class="brand" part="brand">
    ${logoUrl ? html`<img class="logo" src=${logoUrl} alt="" />` : nothing}
    ${promoter ? html`<span>${say.text('promoter', { promoter })}</span>` : nothing}
    ${shownTerms(brand, say)}
  </footer>`
}

/** The picture at the top of a card. */
export const brandPicture = (brand: Brand | undefined): TemplateResult | typeof nothing =>
  brand?.imageUrl
    ? html`<img class="picture" part="picture" src=${brand.imageUrl} alt="" />`
    : nothing

export const brandStyles = css`
  .brand {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 14px;
    margin-top: 8px;
    padding: 10px 16px;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) * 0.7);
    background: var(--_surface);
    color: var(--_soft);
    font-size: 0.84rem;
    overflow-wrap: anywhere;
  }
  .brand .logo {
    height: 34px;
    max-width: 140px;
    padding: 5px 9px;
    border: 1px solid var(--_line);
    border-radius: 9px;
    background: #fff;
    object-fit: contain;
  }
  .brand summary {
    min-height: 24px;
    color: var(--_accent);
    cursor: pointer;
  }
  .brand a {
    display: inline-block;
    min-height: 24px;
  }
  .brand details[open] {
    flex-basis: 100%;
  }
  .brand p {
    padding-top: 6px;
    white-space: pre-line;
  }
  .picture {
    display: block;
    width: 100%;
    height: clamp(110px, 34cqi, 220px);
    object-fit: cover;
    background: var(--_raised);
  }
`
