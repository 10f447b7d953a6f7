/** `npm run recipes -- [1 2 …]`: follows the recipes of `docs/recipes.md`, each in a copy of this checkout. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Recipe, readRecipes, writeFiles } from './recipe.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A copy of the files that are or may be committed. */
const copyCheckout = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-recipe-'))
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const names = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0')
  for (const name of names) if (name) cpSync(join(root, name), join(folder, name))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Ends the program when the command fails. */
const run = (folder: string, command: string) => {
  console.log(`\n$ ${command}`)
  const { status } = spawnSync(command, { cwd: folder, shell: true, stdio: 'inherit' })
  if (status === 0) return
  rmSync(folder, { recursive: true })
  console.error(`\n${command} failed`)
  process.exit(1)
}

const walk = (recipe: Recipe) => {
  console.log(`\n## ${recipe.title}`)
  const folder = copyCheckout()
  run(folder, 'npm run --silent generate && npm run --silent pages')
  for (const step of recipe.steps) {
    if (step.kind !== 'run') writeFiles(folder, { ...recipe, steps: [step] })
    else for (const command of step.commands) run(folder, command)
  }
  rmSync(folder, { recursive: true })
}

const requested = process.argv.slice(2).map(Number)
for (const [i, recipe] of readRecipes().entries())
  if (requested.length === 0 || requested.includes(i + 1)) walk(recipe)
