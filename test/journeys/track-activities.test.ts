/** `trackActivities`: typed items, each with a result of its own. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.end())

const document = `mutation ($activities: [ActivityInput!]!) {
  trackActivities(input: { activities: $activities }) {
    ... on TrackActivitiesPayload {
      results {
        ... on TrackActivityPayload { isDuplicate activity { eventType user { externalId } } }
        ... on Error { code message }
        ... on ValidationError { errors { path message } }
      }
    }
    ... on ValidationError { errors { path message } }
  }
}`

const track = (activities: unknown) => world.graphql(document, { activities })

const said = { category: 'CUSTOM', eventType: 'checkout' }

test('a bad value is an error of its item; a user may be named by either key', async () => {
  const user = { externalId: 'ann' }
  await world.givePoints('ann', 1)
  const { id } = await world.runtime.db.endUser.findFirstOrThrow({ where: user })
  const { body } = await track([
    { ...said, user, reference: 'order-1' },
    { ...said, user: { id } },
    { ...said, user, eventType: '' },
    { ...said, user: { externalId: '' } },
    { ...said, user: { id: '019bf0c2-5a00-7c3e-8f2a-3d1e5b7a9c60' } },
  ])
  const activity = { eventType: 'checkout', user }
  const created = { isDuplicate: false, activity }
  const invalid = (path: string[], message: string) => ({
    code: 'VALIDATION_FAILED',
    message: 'Invalid request body',
    errors: [{ path, message }],
  })
  expect(body.data.trackActivities.results).toEqual([
    created,
    created,
    invalid(['eventType'], 'eventType must not be empty'),
    invalid(['user', 'externalId'], 'user.externalId must not be empty'),
    { code: 'USER_NOT_FOUND', message: 'User not found' },
  ])
  const again = await track([{ ...said, user, reference: 'order-1' }])
  expect(again.body.data.trackActivities.results[0].isDuplicate).toBe(true)
})

test('an item of a wrong type refuses the whole call, and nothing is tracked', async () => {
  const user = { externalId: 'bo' }
  const { body } = await track([
    { ...said, user },
    { ...said, user, points: 'many' },
  ])
  expect(body.errors[0].message).toContain('activities[1].points')
  expect(await world.runtime.db.endUser.count({ where: user })).toBe(0)
})

test('an empty list is refused by its name', async () => {
  const { errors } = (await track([])).body.data.trackActivities
  expect(errors).toEqual([
    { path: ['activities'], message: 'activities must have at least one event' },
  ])
})
