/** The page on which a developer tries the schema. */

export const demoQuery = `# Welcome to Tessera. Put your keys under "Headers" below; a secret key may read this, too.
query Welcome {
  games { gameType name pointsToUnlock }
  leaderboard(first: 10) {
    totalCount { value }
    nodes { rank user { externalId lifetimePoints playCount score } }
  }
}
`

/** Options of the library. */
export const graphiql = (production: boolean) => ({
  graphiql: production
    ? (false as const)
    : {
        title: 'Tessera',
        defaultQuery: demoQuery,
        headers: '{\n  "x-api-key": "pk_test_"\n}',
      },
  // Nine megabytes of text for whoever opens the page.
  renderGraphiQL: async (
    options: Parameters<typeof import('@graphql-yoga/render-graphiql').renderGraphiQL>[0],
  ) => (await import('@graphql-yoga/render-graphiql')).renderGraphiQL(options),
})
