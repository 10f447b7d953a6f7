/** The guide `docs/first-mission.md`, as printed and in its order, on a fresh demo. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { picture } from './chromium.ts'
import { type GuideShell, hasJq, openGuide } from './guide-shell.ts'

let guide: GuideShell
beforeAll(async () => {
  guide = await openGuide('first-mission')
})
afterAll(() => guide?.end())

/** Opens the page that a block has written, and does what the guide says. */
const claimInPage = async () => {
  const { page, faults } = await guide.open('mission.html')
  const balance = page.locator('tessera-balance')
  await balance.getByText('150 points', { exact: true }).waitFor()
  const mission = page.locator('tessera-goals')
  await mission.getByText('Three purchases', { exact: true }).waitFor()
  expect(await mission.getByText('Stamp card').count()).toBe(0)
  await picture(page, 'first-mission')
  await mission.getByRole('button', { name: /Claim/ }).click()
  await balance.getByText('200 points', { exact: true }).waitFor()
  await picture(page, 'first-mission-claimed')
  expect(faults).toEqual([])
}

// What a first attempt has created would be in the way of a second one.
test.runIf(hasJq)('a mission is created, completed, claimed and seen', { retry: 0 }, () =>
  guide.follow(async (block) => {
    if (block.includes('mission.html')) await claimInPage()
  }),
)
