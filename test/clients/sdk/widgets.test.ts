/** `@tessera/widgets` as it is packed. What the elements do is tested where servers serve them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledBytes, createProject, faultsOf, type Project } from './project.ts'

let project: Project
beforeAll(async () => {
  project = await createProject(['widgets'], ['lit', 'react', '@types/react', 'vite'], {})
}, 240_000)
afterAll(() => project?.end())

test('publint and attw find nothing', async () => {
  // Resolvers in the style of Node.js 10 ignore `exports`, by which the types of JSX find the others.
  expect(await faultsOf('widgets', ['internal-resolution-error'])).toBe('')
}, 60_000)

test('takes 5 KB at most in a bundle, compressed, before an element is on the page', async () => {
  expect(await bundledBytes(project, "import '@tessera/widgets'")).toBeLessThan(5 * 1024)
}, 60_000)

test('gives types to elements, events and JSX', async () => {
  const plain = `
import { configure, type Play, type WidgetEvents } from '@tessera/widgets'
const play = (event: CustomEvent<WidgetEvents['tessera-play']>): Play => event.detail.play
configure({ apiKey: 'pk_test_1', tokenProvider: async () => 'token' })
// @ts-expect-error no setting of ours
configure({ nothing: 1 })
export { play }`
  const jsx = `
import '@tessera/widgets/react'
export const Page = () => (
  <>
    <tessera-config api-key="pk_test_1" user-id="alice" />
    <tessera-wheel />
  </>
)
// @ts-expect-error no element of ours
export const Wrong = () => <tessera-poker />`
  const options = { jsx: 'react-jsx', module: 'esnext', moduleResolution: 'bundler' }
  expect(await project.check({ 'plain.ts': plain, 'page.tsx': jsx }, options)).toBe('')
}, 120_000)
