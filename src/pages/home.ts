import type { Config } from '../core/config.ts'

/** The page at `/`, with links to everything else. */
export const homePage = ({ production }: Pick<Config, 'production'>): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tessera</title>
<style>
  :root { color-scheme: light dark; --ink: #1c1b22; --paper: #faf9f7; --line: #dcd8d0; --accent: #b3431f }
  @media (prefers-color-scheme: dark) { :root { --ink: #eceaf2; --paper: #17161c; --line: #35333f; --accent: #f08a5d } }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 system-ui, sans-serif }
  main { max-width: 40rem; margin: 0 auto; padding: 4rem 1.25rem }
  h1 { font-size: 2.4rem; letter-spacing: -.02em; margin: 0 0 .5rem }
  ul { list-style: none; padding: 0; margin: 2.5rem 0 0; border-top: 1px solid var(--line) }
  li { border-bottom: 1px solid var(--line) }
  a { display: block; padding: .9rem 0; color: inherit; text-decoration: none }
  a:hover b, a:focus-visible b { text-decoration: underline }
  b { display: block; color: var(--accent) }
</style>
<main>
  <h1>Tessera</h1>
  <p>Points, games of chance, campaigns, lotteries, user journeys and an arena for your users: one GraphQL API, and the same as REST.</p>
  <ul>
    <li><a href="/arena"><b>Arena</b>Watch agents play each other, live.</a></li>
    <li><a href="/docs/graphql"><b>GraphQL guide</b>From a first query to a live match on a page of your own.</a></li>
    <li><a href="/docs"><b>REST reference</b>Every path, field and error; try it with your keys.</a></li>
${production ? '' : '    <li><a href="/graphql"><b>GraphiQL</b>Explore and query the schema in the browser.</a></li>\n'}    <li><a href="/openapi.json"><b>OpenAPI 3.1</b>The REST reference for machines.</a></li>
    <li><a href="/readyz"><b>Health</b>Whether this server is ready.</a></li>
  </ul>
</main>
</html>
`
