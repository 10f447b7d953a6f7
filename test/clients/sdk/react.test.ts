/** `@tessera/react` as it is packed. What its examples do in a browser is tested with the other pages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledBytes, createProject, faultsOf, needed, nodes, type Project } from './project.ts'

let project: Project
beforeAll(async () => {
  const others = ['lit', 'react', 'react-dom', '@types/react', '@types/react-dom', 'vite']
  project = await createProject(['client', 'widgets', 'react'], [...needed, ...others], {})
}, 240_000)
afterAll(() => project?.end())

test('publint and attw find nothing', async () => {
  expect(await faultsOf('react')).toBe('')
}, 60_000)

describe('in a bundle, compressed and without React, the client and the elements,', () => {
  const external = ['react', '@tessera/client', '@tessera/widgets']

  test('the hooks take 3.3 KB at most', async () => {
    const entry = "export * from '@tessera/react'"
    expect(await bundledBytes(project, entry, external)).toBeLessThan(3.3 * 1024)
  })

  test('the components take 1.1 KB at most', async () => {
    const entry = "export * from '@tessera/react/widgets'"
    expect(await bundledBytes(project, entry, external)).toBeLessThan(1.1 * 1024)
  })
})

test('the components have types for props, events and elements', async () => {
  const page = `
import { TesseraBadges, TesseraCampaign, TesseraConfig, TesseraGoals, TesseraLeaderboard, TesseraMatch, TesseraRewards, TesseraShop, TesseraStreak, TesseraWheel } from '@tessera/react/widgets'
import type { WidgetElements } from '@tessera/widgets'
import { useRef } from 'react'

export const Page = () => {
  const wheel = useRef<WidgetElements['tessera-wheel']>(null)
  const play = async (): Promise<string | undefined> => (await wheel.current?.play())?.reward.label
  return (
    <TesseraConfig apiKey="pk_test_1" tokenProvider={async () => 'token'} texts={{ spin: 'Go' }} sound>
      <TesseraWheel
        ref={wheel}
        theme="auto"
        style={{ margin: 4 }}
        data-test="wheel"
        onClick={play}
        onTesseraPlay={({ detail }) => detail.play.reward.label.trim()}
        onTesseraPlayStart={({ detail }) => detail.gameType === 'NEON_WHEEL'}
      />
      <TesseraLeaderboard count={3} />
      <TesseraCampaign slug="summer" onTesseraRedeem={({ detail: { points } }) => points + 1} />
      <TesseraMatch matchId="1" />
      <TesseraGoals category="daily" onTesseraGoalComplete={({ detail }) => detail.slug.trim()} />
      <TesseraStreak slug="daily" onTesseraStreakGrow={({ detail }) => detail.length + (detail.milestone ?? 0)} />
      <TesseraShop theme="light" onTesseraBuy={({ detail }) => detail.reward.price + detail.balance} />
      <TesseraRewards />
      <TesseraBadges onTesseraGrantClaim={({ detail }) => detail.grant.reward.name.trim()} />
    </TesseraConfig>
  )
}
export const wrong = [
  // @ts-expect-error it needs a slug
  <TesseraCampaign key="1" />,
  // @ts-expect-error a number
  <TesseraLeaderboard key="2" count="3" />,
  // @ts-expect-error no setting of ours
  <TesseraWheel key="3" secretKey="sk_test_1" />,
  // @ts-expect-error a play has no prize
  <TesseraWheel key="4" onTesseraPlay={({ detail }) => detail.prize} />,
  // @ts-expect-error only settings have children
  <TesseraWheel key="5">text</TesseraWheel>,
]`
  const options = { jsx: 'react-jsx', module: 'esnext', moduleResolution: 'bundler' }
  expect(await project.check({ 'page.tsx': page }, options)).toBe('')
}, 120_000)

test.each(nodes)(
  'a server with Node.js %s renders the bare elements',
  async (_, node) => {
    project.put(
      'server.mjs',
      `
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import * as widgets from '@tessera/react/widgets'
const { TesseraConfig, ...others } = widgets
const props = { slug: 'summer', matchId: 'm1', count: 3, className: 'big', onTesseraPlay: () => {}, texts: {} }
const children = Object.values(others).map((one, key) => createElement(one, { ...props, key }))
console.log(renderToString(createElement(TesseraConfig, { apiKey: 'pk_test_1', sound: false, tokenProvider: () => '' }, children)))`,
    )
    const rendered = await project.run(node, ['server.mjs'])
    const names =
      'wheel slots boxes balance leaderboard history offers goals badges streak shop rewards campaign lottery match'
    for (const name of names.split(' ')) expect(rendered).toContain(`</tessera-${name}>`)
    expect(rendered).toMatch(/^<tessera-config sound="off" api-key="pk_test_1"><tessera-/)
    expect(rendered).toContain(
      '<tessera-match slug="summer" match-id="m1" count="3" class="big"></tessera-match>',
    )
    expect(rendered).not.toMatch(/Tessera[A-Z]|function|texts|tokenProvider|warning/i)
  },
  60_000,
)
