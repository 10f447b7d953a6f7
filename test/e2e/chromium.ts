/** A real browser, and the faults of its pages. */
import { mkdirSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

/** The default timeout of pages. Only a busy machine needs that long. */
export const patienceMs = 30_000

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })

/**
 * Collects the faults of a page: errors, refusals by its policy, and connections to other hosts than
 * `base`. Errors that match `expected` do not count.
 */
export const watchFaults = (page: Page, base: string, expected?: RegExp): string[] => {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected?.test(message.text())) faults.push(message.text())
  })
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(base))
      faults.push(`asked ${request.url()}`)
  })
  page.on('websocket', (socket) => {
    if (!socket.url().startsWith(base.replace('http', 'ws')))
      faults.push(`connected to ${socket.url()}`)
  })
  return faults
}

/** Keeps a picture of the whole page, at rest, when SCREENSHOTS names a folder. */
export const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true, animations: 'disabled' })
}
