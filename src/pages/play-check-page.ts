/** `/plays/check`: checks a play in the browser, from its proof. The page is the same for everybody. */
import type { FastifyInstance } from 'fastify'
import { html } from './html.ts'
import { pageHeaders, policyOf } from './page.ts'
import { contentHandler, servePageFile } from './page-file.ts'

const page = `<!doctype html>\n${
  html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Check a play</title>
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
  <p class="kicker">Games of chance</p>
  <h1>Check a play</h1>
  <p class="lead">See for yourself that a play was drawn as it was promised.</p>
</header>
<section id="check">
  <h2>The proof</h2>
  <p>Your browser does the arithmetic itself and sends nothing anywhere. The program that does so comes from this server; to use none of it, check the proof <a href="#own">on your own machine</a>.</p>
  <form>
    <label for="proof">Paste the proof of the play</label>
    <textarea id="proof" autocomplete="off" spellcheck="false" required></textarea>
    <label for="file">Or choose its file</label>
    <div class="row"><input id="file" type="file" accept=".json,application/json"><button>Check</button></div>
  </form>
  <div id="outcome" role="status" aria-live="polite"></div>
  <noscript><p class="result bad">Without JavaScript this page cannot check anything. Use the program below.</p></noscript>
</section>
<section>
  <h2>How a play comes about</h2>
  <ol class="steps">
    <li><h3>Before the play: a promise</h3><p>A secret server seed is fixed for you, and its fingerprint (SHA-256) shown. Nobody can find another seed with the same one.</p></li>
    <li><h3>Your part: the client seed</h3><p>You may choose any text. It was not known when the server seed was fixed.</p></li>
    <li><h3>The play</h3><p>The outcome follows from both seeds, the number of the play, and the version of the game, by a fixed calculation.</p></li>
    <li><h3>Afterwards: the seed is revealed</h3><p>When you replace your seeds, the server seed is shown. Then you can check every play that was drawn from it.</p></li>
  </ol>
  <h2>What this proves, and what it does not</h2>
  <div class="limits">
  <div class="proved"><h3>Proved</h3>
  <ul>
    <li>The server seed was not exchanged after its fingerprint was shown.</li>
    <li>The play follows from the seeds, its number and this version of the game, and from nothing else.</li>
  </ul></div>
  <div class="trusted"><h3>Not proved</h3>
  <ul>
    <li><b>That the fingerprint was shown in time.</b> Write it down before you play, with the number of the next play.</li>
    <li><b>That nobody else knew the seed.</b> Whoever controls this server can calculate your plays in advance. They cannot change them; but only a client seed of your own makes sure that the server seed was not picked to suit somebody.</li>
  </ul></div>
  </div>
  <p id="own">To check a proof on your own machine, offline, save it as a file and run:</p>
  <pre><code>node verify-play.ts proof.json</code></pre>
  <p><a href="/docs/verify-play.ts" download>verify-play.ts</a> is one file that uses nothing of this server; it runs on <a href="https://nodejs.org">Node</a> 24. <a href="/docs/fair-plays">What it checks</a> is written down, so that anybody can write another.</p>
</section>
</main>
</body>
</html>`.text
}\n`

export const mountPlayCheck = (app: FastifyInstance): void => {
  servePageFile(app, '/plays/check.js', '../generated/verifier/play-check.js')
  servePageFile(app, '/plays/check.css', 'play-check.css')
  const { 'cache-control': _, ...headers } = pageHeaders(policyOf({ 'img-src': 'data:' }))
  app.get('/plays/check', contentHandler(Buffer.from(page), headers))
}
