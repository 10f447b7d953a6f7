/** `/plays/check`: checks a play in the browser, from its proof, in the language of the visitor. */
import type { FastifyInstance } from 'fastify'
import type { PageLanguage } from '../generated/prisma/enums.ts'
import { filled, html } from './html.ts'
import { pageHeaders, policyOf } from './page.ts'
import { contentHandler, servePageFile } from './page-file.ts'
import { languageOf } from './texts/page-language.ts'
import { textsIn } from './texts/page-texts.ts'
import { type PlayCheckTexts, playCheckTexts } from './texts/play-check-texts.ts'

const step = (title: string, text: string) => html`<li><h3>${title}</h3><p>${text}</p></li>`

const explanation = (texts: PlayCheckTexts) => html`<section>
  <h2>${texts.how}</h2>
  <ol class="steps">
    ${step(texts.promise, texts.promiseText)}
    ${step(texts.yourPart, texts.yourPartText)}
    ${step(texts.play, texts.playText)}
    ${step(texts.afterwards, texts.afterwardsText)}
  </ol>
  <h2>${texts.limits}</h2>
  <div class="limits">
  <div class="proved"><h3>${texts.proved}</h3>
  <ul>
    <li>${texts.provedSeed}</li>
    <li>${texts.provedPlay}</li>
  </ul></div>
  <div class="trusted"><h3>${texts.notProved}</h3>
  <ul>
    <li><b>${texts.inTime}</b> ${texts.inTimeText}</li>
    <li><b>${texts.unknown}</b> ${texts.unknownText}</li>
  </ul></div>
  </div>
  <p id="own">${texts.offline}</p>
  <pre><code>node verify-play.ts proof.json</code></pre>
  <p>${filled(texts.program, {
    program: html`<a href="/docs/verify-play.ts" download>verify-play.ts</a>`,
    node: html`<a href="https://nodejs.org">Node</a>`,
    what: html`<a href="/docs/fair-plays">${texts.whatItChecks}</a>`,
  })}</p>
</section>`

// Long: the markup of one page.
const pageIn = (language: PageLanguage): string => {
  const texts = playCheckTexts[language]
  return `<!doctype html>\n${
    html`<html lang="${textsIn(language).tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${texts.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/draws/page.css">
<link rel="stylesheet" href="/draws/check.css">
<link rel="stylesheet" href="/draws/proof.css">
<link rel="stylesheet" href="/plays/check.css">
<script src="/plays/check.js" type="module"></script>
</head>
<body>
<main>
<header>
  <p class="kicker">${texts.kicker}</p>
  <h1>${texts.title}</h1>
  <p class="lead">${texts.lead}</p>
</header>
<section id="check">
  <h2>${texts.proof}</h2>
  <p>${filled(texts.proofText, { link: html`<a href="#own">${texts.onYourMachine}</a>` })}</p>
  <form data-texts="${JSON.stringify(texts.results)}">
    <label for="proof">${texts.paste}</label>
    <textarea id="proof" autocomplete="off" spellcheck="false" required></textarea>
    <label for="file">${texts.file}</label>
    <div class="row"><input id="file" type="file" accept=".json,application/json"><button>${texts.check}</button></div>
  </form>
  <div id="outcome" role="status" aria-live="polite"></div>
  <noscript><p class="result bad">${texts.noScript}</p></noscript>
</section>
${explanation(texts)}
</main>
</body>
</html>`.text
  }\n`
}

export const mountPlayCheck = (app: FastifyInstance): void => {
  servePageFile(app, '/plays/check.js', '../generated/verifier/play-check.js')
  servePageFile(app, '/plays/check.css', 'play-check.css')
  const { 'cache-control': _, ...headers } = pageHeaders(policyOf({ 'img-src': 'data:' }))
  const send = (language: PageLanguage) =>
    contentHandler(Buffer.from(pageIn(language)), { ...headers, vary: 'accept-language' })
  const pages: Record<PageLanguage, ReturnType<typeof send>> = { EN: send('EN'), DE: send('DE') }
  app.get('/plays/check', (request, reply) => pages[languageOf(request)](request, reply))
}
