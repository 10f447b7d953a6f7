import { expect, test } from 'vitest'
import { games } from '../../../src/arena/agent-games/all-games.rules.ts'
import { routes } from '../../../src/rest/routes.ts'
import { variablesOf } from '../../../src/rest/variables.ts'
import { schema } from '../../../src/schema.ts'

test('REST lists the matches of the games that the registry lists', () => {
  const listed = games.filter(({ isListed }) => isListed).map(({ type }) => type)
  const defaults = routes.flatMap((route) =>
    variablesOf(schema, route).flatMap(({ name, listed }) =>
      name === 'gameTypes' ? [[route.path, listed]] : [],
    ),
  )
  expect(listed.length).toBeLessThan(games.length)
  expect(defaults).toEqual(
    ['/v1/arena/agents/{agentId}', '/v1/arena/matches', '/v1/arena/matches/live'].map((path) => [
      path,
      listed,
    ]),
  )
})
