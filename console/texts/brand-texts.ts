export const brandTexts = {
  description:
    'How campaign pages, draws and widgets show your brand. A campaign can override each part.',
  look: 'Look',
  logo: 'Logo',
  logoHint: 'The https address of a picture. It is shown on white, 42 pixels high.',
  color: 'Color',
  pickColor: 'Pick a color',
  colorHint: 'For buttons, numbers and links.',
  asIs: 'Text in this color is easy to read on light and on dark pages.',
  adjusted: (theme: 'light' | 'dark', color: string) =>
    theme === 'light'
      ? `Light pages show ${color}: darker, so that text is easy to read.`
      : `Dark pages show ${color}: lighter, so that text is easy to read.`,
  picture: 'Picture',
  pictureHint:
    'The https address of a wide picture for the top of pages. Without one, pages show tiles.',
  legal: 'Promoter and terms',
  promoter: 'Promoter',
  promoterHint: 'Who runs your promotions, as your terms name them. Leave blank for your name.',
  terms: 'Terms and conditions',
  termsKinds: { none: 'None', text: 'Text', link: 'Link' },
  termsText: 'Text of the terms',
  termsLink: 'Link to the terms',
  language: 'Language',
  languageHint: 'Of campaign pages and draws, and of widgets on pages that name no language.',
  languages: { EN: 'English', DE: 'German' },
  saved: 'Brand saved. Pages show it right away.',
  preview: 'Preview',
  previewHint: 'The page of a sample campaign with your brand. Updates as you type.',
  previewIn: { light: 'Preview on a light page', dark: 'Preview on a dark page' },
  loadedFrom: (hosts: string) =>
    `The page loads its pictures from ${hosts}. The preview leaves them out.`,
  sample: {
    name: 'Summer Sale',
    description: 'Everything you do this summer earns points.',
    prize: 'Weekend in Lisbon',
    eventType: 'purchase',
  },
  copyToLive: 'Copy to Live',
  copyExplanation: 'Replaces your brand in Live with this one. Players see it right away.',
  copied: 'Brand copied to Live.',
  ofCampaign: 'Brand',
  ofCampaignHint:
    'What this campaign shows instead of your brand. Leave fields blank to use your brand.',
  asBrand: 'Same as your brand',
  inherited: (value: string) => `From your brand: ${value}`,
  inheritedNone: 'Your brand has none.',
  inheritedTerms: 'The page shows the terms of your brand.',
  inheritedNoTerms: 'Your brand has no terms.',
  languageAsBrand: (language: string) => `Same as your brand (${language})`,
} as const
