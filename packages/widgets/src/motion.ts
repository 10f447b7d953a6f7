/** Animations, frame by frame. */

export const prefersReducedMotion = (): boolean =>
  matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Calls `frame` with the progress from 0 to 1 until the time is over. A hidden page has no frames; there,
 * only the last call happens. Never rejects.
 */
export const animate = (durationMs: number, frame: (progress: number) => void): Promise<void> =>
  new Promise((resolve) => {
    const startedAt = performance.now()
    let isOver = false
    const finish = () => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      frame(1)
      resolve()
    }
    const timer = setTimeout(finish, durationMs + 250)
    const step = (now: number) => {
      if (isOver) return
      const progress = (now - startedAt) / durationMs
      if (progress >= 1) return finish()
      frame(Math.max(0, progress))
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })

/** Calls `frame` with the seconds since the last frame, until the returned function is called. */
export const everyFrame = (frame: (seconds: number) => void): (() => void) => {
  let isRunning = true
  let last = performance.now()
  const step = (now: number) => {
    if (!isRunning) return
    frame(Math.min(0.1, (now - last) / 1000))
    last = now
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
  return () => {
    isRunning = false
  }
}

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Fast at first, then slower until it stops. */
export const easeOut = (progress: number): number => 1 - (1 - progress) ** 3

/** The same, with a small overshoot at the end. */
export const easeOutBack = (progress: number, overshoot: number): number =>
  1 + (overshoot + 1) * (progress - 1) ** 3 + overshoot * (progress - 1) ** 2
