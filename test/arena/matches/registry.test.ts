import { Kind, valueFromASTUntyped } from 'graphql'
import { expect, test } from 'vitest'
import { games } from '../../../src/arena/agent-games/all-games.rules.ts'
import { routes } from '../../../src/rest/routes.ts'
import { operationOf } from '../../../src/rest/variables.ts'

test('REST lists the matches of the games that the registry lists', () => {
  const listed = games.filter(({ isListed }) => isListed).map(({ type }) => type)
  const defaults = routes.flatMap(({ path, written }) =>
    (operationOf(written).variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
      variable.name.value === 'gameTypes' && defaultValue?.kind === Kind.LIST
        ? [[path, valueFromASTUntyped(defaultValue)]]
        : [],
    ),
  )
  expect(defaults.length).toBeGreaterThan(0)
  expect(defaults).toEqual(defaults.map(([path]) => [path, listed]))
})
