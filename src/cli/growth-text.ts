/** The findings of `tessera check` about the growth of a database. */
import { type Finding, good, notable } from './database-checks.ts'
import { daysUntilFull, type Growth, levelOf, type Sizes } from './growth.ts'

/** Days per month in estimates. */
const monthDays = 30
/** A disk that is full sooner is reported. */
const soonDays = 60
/** Less growth per day is not reported in detail. */
const leastBytesPerDay = 1_000_000

/** `1.2 GB`. */
export const sizeText = (bytes: number): string => {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const value = bytes / 1_000 ** power
  return `${value.toFixed(power > 0 && value < 10 ? 1 : 0)} ${units[power]}`
}

const keptText = (growth: Growth): string => {
  const { kept } = growth
  if (!kept) return 'kept for ever'
  if (kept.days === 0) return `kept for ever; ${kept.setting} would delete old ones`
  return `${kept.days} days of it are ${sizeText(levelOf(growth) ?? 0)} (${kept.setting})`
}

const lineOf = (growth: Growth): string => {
  const { what, rowsPerDay, bytesPerRow, bytesPerDay } = growth
  const rows = Math.round(rowsPerDay).toLocaleString('en')
  return `  ${sizeText(bytesPerDay)} a day: ${rows} ${what} of ${Math.round(bytesPerRow)} bytes, ${keptText(growth)}`
}

const sumOf = (growths: Growth[]) => growths.reduce((sum, { bytesPerDay }) => sum + bytesPerDay, 0)

/** @param freeBytes of the disk; undefined if this machine does not see it */
export const growthFindings = (sizes: Sizes, freeBytes: number | undefined): Finding[] => {
  const { databaseBytes, growths } = sizes
  const perDay = sumOf(growths)
  const stays = sumOf(growths.filter((growth) => levelOf(growth) === null))
  const has = `The database has ${sizeText(databaseBytes)}`
  if (perDay < leastBytesPerDay) return [good(`${has} and hardly grows`)]
  const month = sizeText(stays * monthDays)
  const findings = [
    good(
      `${has}. Rows of the last week: ${sizeText(perDay)} a day, of which ${sizeText(stays)} a day (${month} a month) are not deleted`,
    ),
    ...growths
      .filter(({ bytesPerDay }) => bytesPerDay > perDay / 100)
      .sort((a, b) => b.bytesPerDay - a.bytesPerDay)
      .map((growth) => good(lineOf(growth))),
  ]
  if (freeBytes === undefined)
    return [
      ...findings,
      notable('The disk of the database is not seen from here: --disk GB says when it is full'),
    ]
  const days = daysUntilFull(sizes, freeBytes)
  const full =
    days === null ? 'are enough for a century' : `are full in ${days.toLocaleString('en')} days`
  const mark = days !== null && days < soonDays ? notable : good
  return [
    ...findings,
    mark(`${sizeText(Math.max(0, freeBytes))} of free space ${full} at this rate`),
  ]
}
