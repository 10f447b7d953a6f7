/** Renders Markdown of `docs/` as a page, with a table of contents, highlighted code, and links between guides. */
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import graphql from 'highlight.js/lib/languages/graphql'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import xml from 'highlight.js/lib/languages/xml'
import { Marked } from 'marked'
import { Html, html } from './html.ts'

hljs.registerLanguage('graphql', graphql)
hljs.registerLanguage('json', json)
hljs.registerLanguage('js', javascript)
hljs.registerLanguage('sh', bash)
hljs.registerLanguage('html', xml)

type Heading = { slug: string; text: string }

/** The caption of a code block, by the word after its language. */
const captions: Record<string, string> = {
  secret: 'With a secret key',
  public: 'With a public key',
  member: 'As a member',
  variables: 'Variables',
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const codeBlock = (text: string, info: string): string => {
  const [language = '', note = ''] = info.split(' ')
  const code = hljs.getLanguage(language)
    ? new Html(hljs.highlight(text, { language }).value)
    : text
  const caption = captions[note] ?? note
  return html`<figure>${caption && html`<figcaption>${caption}</figcaption>`}<pre tabindex="0"><code>${code}</code></pre></figure>\n`
    .text
}

/** The body of a guide, and its second-level headings. */
const renderBody = (text: string, known: object): { body: Html; headings: Heading[] } => {
  const headings: Heading[] = []
  const marked = new Marked({
    renderer: {
      code: ({ text, lang = '' }) => codeBlock(text, lang),
      heading({ tokens, depth, text }) {
        const inner = new Html(this.parser.parseInline(tokens))
        const slug = slugOf(text)
        if (depth === 2) headings.push({ slug, text })
        return depth === 1
          ? html`<h1>${inner}</h1>`.text
          : html`${new Html(`<h${depth} id="${slug}">`)}<a href="#${slug}">${inner}</a>${new Html(`</h${depth}>`)}\n`
              .text
      },
      link({ href, tokens }) {
        const inner = new Html(this.parser.parseInline(tokens))
        const [, name = ''] = /^([a-z-]+)\.md/.exec(href) ?? []
        const guide = Object.keys(known).find((item) => item.replace('/', '-') === name)
        if (guide)
          return html`<a href="/docs/${href.replace(`${name}.md`, guide)}">${inner}</a>`.text
        // Other files of the repository are not served.
        return /^(https?:|\/|#)/.test(href) ? html`<a href="${href}">${inner}</a>`.text : inner.text
      },
    },
  })
  return { body: new Html(marked.parse(text, { async: false })), headings }
}

/**
 * @param text Markdown
 * @param guides the title of each guide by its name
 */
export const renderGuide = (text: string, name: string, guides: Record<string, string>): string => {
  const { body, headings } = renderBody(text, guides)
  const title = guides[name] as string
  const others = Object.entries(guides).map(
    ([other, label]) =>
      html`<a href="/docs/${other}" ${other === name && new Html('aria-current="page"')}>${label}</a>\n`,
  )
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Tessera</title>
<link rel="stylesheet" href="/docs/guide.css">
<header>
  <a class="home" href="/">Tessera</a>
  <nav aria-label="Guides">
    ${others}<a href="/docs">REST reference</a>
  </nav>
</header>
<div class="page">
  <nav class="contents" aria-label="On this page">
    <ol>${headings.map(({ slug, text }) => html`<li><a href="#${slug}">${text}</a></li>\n`)}</ol>
  </nav>
  <main>
${body}
  </main>
</div>
</html>
`.text
}
