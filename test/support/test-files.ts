import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const postgresSupport = join(root, 'test/support/postgres.ts')
const programSupport = join(root, 'test/support/program.ts')
const browserSupport = join(root, 'test/support/npm-browser.ts')
const slowSupport = [postgresSupport, programSupport]

/** Test files, whole-server suites first because they take longest, whose path contains one of the filters. */
export function listTestFiles(filters: readonly string[]): readonly string[] {
  const wanted = filters.map((filter) => (filter.startsWith(root) ? relative(root, filter) : filter.replace(/^\.\//, '')))
  const files = ['test', 'src', 'console/src', 'bench', 'examples', 'template']
    .map((folder) => `${folder}/**/*.test.ts`)
    .flatMap((pattern) => globSync(pattern, { cwd: root }).sort())
  return files.filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part))).map((file) => join(root, file))
}

/** Those beside what they test, without what needs PostgreSQL by itself or starts whole programs. */
export function listQuickFiles(): readonly string[] {
  const isQuickFile = (file: string) =>
    !file.includes('store/postgres/') && !importsOf(file).some((imported) => slowSupport.includes(imported))
  return listTestFiles(['src/']).filter(isQuickFile)
}

/** The name of a test file in reports. */
export function testFileName(file: string): string {
  return relative(root, file)
}

/** Whether the file imports the PostgreSQL support, itself or through others. */
export function needsPostgres(file: string): boolean {
  return reaches(file, postgresSupport, new Set())
}

/** Whether the file imports what starts programs, itself or through others. */
export function needsPrograms(file: string): boolean {
  return reaches(file, programSupport, new Set())
}

/** Whether the file imports the browser that npm brings, itself or through others. */
export function needsBrowser(file: string): boolean {
  return reaches(file, browserSupport, new Set())
}

function reaches(file: string, target: string, seen: Set<string>): boolean {
  if (file === target) return true
  if (seen.has(file)) return false
  seen.add(file)
  return importsOf(file).some((imported) => reaches(imported, target, seen))
}

function importsOf(file: string): readonly string[] {
  const found = readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)
  // Some stand in a text that a test writes elsewhere.
  return [...found].map(([, path = '']) => join(dirname(file), path)).filter(existsSync)
}
