/** GraphiQL, the page where developers try the schema. */

export const demoQuery = `# Welcome to Tessera. Press the button to run this with the key under "Headers" below.
query Welcome {
  games { gameType name pointsToUnlock }
  leaderboard(first: 10) {
    totalCount { value }
    nodes { rank user { externalId lifetimePoints playCount score } }
  }
}
`

/** Options of the library. */
export const graphiql = (production: boolean, demoKey = 'pk_test_') => ({
  graphiql: production
    ? (false as const)
    : {
        title: 'Tessera',
        defaultQuery: demoQuery,
        headers: JSON.stringify({ 'x-api-key': demoKey }, null, 2),
      },
  // Imported on demand: nine megabytes of text.
  renderGraphiQL: async (
    options: Parameters<typeof import('@graphql-yoga/render-graphiql').renderGraphiQL>[0],
  ) => (await import('@graphql-yoga/render-graphiql')).renderGraphiQL(options),
})
