import { connect, createServer, type Socket } from 'node:net'
import { type Browser, chromium, type FrameLocator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownGames } from '../../src/arena/developer-games/game.rules.ts'
import { type Arena, createArena } from '../arena/arena-world.ts'
import { createWorld, type World } from '../world.ts'

let world: World
let arena: Arena
let browser: Browser

const publicUrl = 'http://localhost:4000'

beforeAll(async () => {
  world = await createWorld({ config: { publicUrl } })
  arena = await createArena(world)
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
})
afterAll(async () => {
  await browser?.close()
  await world?.end()
})

/** A network to the server that can fail. */
const createNetwork = async () => {
  const sockets = new Set<Socket>()
  let isGone = false
  const join = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer((client) => {
    if (isGone) return client.destroy()
    const upstream = join(connect(world.server.port, '127.0.0.1'))
    join(client).pipe(upstream).pipe(client)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    lose: () => {
      isGone = true
      for (const socket of sockets) socket.destroy()
    },
    restore: () => {
      isGone = false
    },
    end: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const drop = (game: FrameLocator, column: number) =>
  game.getByRole('button', { name: new RegExp(`^Column ${column},`) }).click()

test('a player who loses the connection for five seconds plays on to the result', async () => {
  const { id } = await arena.publish({
    name: 'Four in a Row',
    category: 'BOARD',
    buildUrl: `${publicUrl}${ownGames}row/`,
    entryFee: 100,
    developerRevenueShare: 15,
  })
  const { seats } = await arena.play(id)
  const networks = [await createNetwork(), await createNetwork()] as const
  const contexts = await Promise.all(networks.map(() => browser.newContext()))
  const screens = await Promise.all(
    contexts.map(async (context, n) => {
      const page = await context.newPage()
      page.setDefaultTimeout(20_000)
      await page.goto(seats[n].playUrl.replace(publicUrl, networks[n]?.base))
      return page.frameLocator('iframe')
    }),
  )
  const [ann, ben] = screens as [FrameLocator, FrameLocator]
  const yourMove = (game: FrameLocator) => game.getByText('Your move').waitFor()

  await yourMove(ann)
  await drop(ann, 4)
  await yourMove(ben)
  await drop(ben, 3)
  await yourMove(ann)

  networks[1].lose()
  await ben.getByText('Connection lost').waitFor()
  // Ann plays on; Ben sees it when he is back.
  await drop(ann, 4)
  await ann.getByText('Player 2 to move').waitFor()
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  expect(await ben.getByText('Player 1 to move').isVisible()).toBe(true)
  networks[1].restore()
  await yourMove(ben)
  await ben.getByText('Connection lost').waitFor({ state: 'hidden' })

  // A move that is made without a connection arrives when it is back.
  networks[1].lose()
  await ben.getByText('Connection lost').waitFor()
  await drop(ben, 3)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(await ann.getByText('Player 2 to move').isVisible()).toBe(true)
  networks[1].restore()
  for (const column of [4, 3]) {
    await yourMove(ann)
    await drop(ann, column)
    if (column === 3) break
    await yourMove(ben)
    await drop(ben, 1)
  }
  await yourMove(ben)
  await drop(ben, 1)
  await yourMove(ann)
  networks[0].lose()
  await ann.getByText('Connection lost').waitFor()
  await drop(ann, 4)
  networks[0].restore()
  await ann.getByText('You win 170 points').waitFor()
  await ben.getByText('Player 1 wins 170 points').waitFor()
  const { sessionId } = await world.runtime.db.arenaPlayer.findUniqueOrThrow({
    where: { id: seats[0].playerId },
  })
  expect(await arena.read(sessionId)).toMatchObject({ status: 'COMPLETED', winnerPrize: 170 })
  const moves = await world.runtime.db.arenaSessionMove.findMany({
    where: { sessionId },
    orderBy: { seq: 'asc' },
  })
  expect(moves.map(({ data }) => (data as { column: number }).column)).toEqual([
    3, 2, 3, 2, 3, 0, 2, 0, 3,
  ])
  for (const context of contexts) await context.close()
  for (const { end } of networks) end()
})
