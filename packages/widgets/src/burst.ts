/** Confetti for a win. */
import { everyFrame } from './motion.ts'

type Tile = {
  x: number
  y: number
  vx: number
  vy: number
  turn: number
  spin: number
  size: number
  color: string
}

const colors = ['#ffc857', '#a18fff', '#3ce3f4', '#ff6fb5', '#5ff0b0', '#ffffff']
const seconds = 1.8
const gravity = 900

const throwTiles = (count: number, width: number, height: number): Tile[] =>
  Array.from({ length: count }, () => {
    const angle = Math.random() * Math.PI * 2
    const speed = (0.25 + Math.random() * 0.75) * Math.min(width, height) * 1.1
    return {
      x: width / 2,
      y: height / 2,
      vx: Math.cos(angle) * speed,
      vy: Math.sin(angle) * speed - height * 0.35,
      turn: Math.random() * Math.PI,
      spin: (Math.random() - 0.5) * 14,
      size: 5 + Math.random() * 7,
      color: colors[Math.floor(Math.random() * colors.length)] as string,
    }
  })

/** @param count the number of tiles */
export const burst = (canvas: HTMLCanvasElement, count: number): void => {
  const scale = Math.min(2, devicePixelRatio)
  const { clientWidth: width, clientHeight: height } = canvas
  const brush = canvas.getContext('2d')
  if (!brush || width === 0) return
  canvas.width = width * scale
  canvas.height = height * scale
  const tiles = throwTiles(count, width, height)
  let age = 0
  const stop = everyFrame((step) => {
    age += step
    brush.setTransform(scale, 0, 0, scale, 0, 0)
    brush.clearRect(0, 0, width, height)
    if (age > seconds) return stop()
    brush.globalAlpha = Math.min(1, (seconds - age) * 2)
    for (const tile of tiles) {
      tile.vy += gravity * step
      tile.vx *= 1 - 0.9 * step
      tile.x += tile.vx * step
      tile.y += tile.vy * step
      tile.turn += tile.spin * step
      brush.save()
      brush.translate(tile.x, tile.y)
      brush.rotate(tile.turn)
      brush.scale(1, Math.cos(tile.turn * 1.7))
      brush.fillStyle = tile.color
      brush.fillRect(-tile.size / 2, -tile.size / 2, tile.size, tile.size)
      brush.restore()
    }
  })
}
