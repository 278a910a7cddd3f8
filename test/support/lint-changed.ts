import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type CommandResult, runCommand } from './run-command.ts'

const root = resolve(import.meta.dirname, '../..')
const memory = join(root, 'node_modules/.cache/quire-lint.json')

interface Passed {
  /** By what their rules were. */
  readonly rules: string
  /** What files looked like when they passed, by their paths. */
  readonly files: { readonly [path: string]: string }
}

/** Lints as `npm run lint` does, without the files that passed as they are: the rules look at one file at a time. */
export async function lintChanged(lint: string): Promise<CommandResult> {
  const { code, output } = await runCommand('git ls-files --cached --others --exclude-standard -z')
  if (code !== 0) return runCommand(lint)
  const files = new Map(output.split('\0').flatMap((path) => (isFile(path) ? [[path, digestOf(path)] as const] : [])))
  // Which rules there are depends on these too.
  const manifests = [...files].filter(([path]) => /(?:^|\/)(?:biome|package|package-lock)\.json$|(?:^|\/)\.gitignore$/.test(path))
  const rules = createHash('sha256')
    .update(JSON.stringify([lint, manifests]))
    .digest('hex')
  const before = readPassed()
  const known = before.rules === rules ? before.files : {}
  const changed = [...files].filter(([path, digest]) => known[path] !== digest).map(([path]) => path)
  const result = await lintFiles(lint, changed)
  if (result.code === 0) {
    mkdirSync(dirname(memory), { recursive: true })
    writeFileSync(memory, JSON.stringify({ rules, files: Object.fromEntries(files) } satisfies Passed))
  }
  return result
}

// As long a list as a shell takes.
const mostNamed = 500

async function lintFiles(lint: string, files: readonly string[]): Promise<CommandResult> {
  if (files.length === 0) return { code: 0, output: '' }
  return runCommand(files.length > mostNamed ? lint : `${lint} --no-errors-on-unmatched ${files.map(quoted).join(' ')}`)
}

function isFile(path: string): boolean {
  return path !== '' && statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true
}

function digestOf(path: string): string {
  return createHash('sha256')
    .update(readFileSync(join(root, path)))
    .digest('base64')
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`
}

function readPassed(): Passed {
  try {
    return JSON.parse(readFileSync(memory, 'utf8'))
  } catch {
    return { rules: '', files: {} }
  }
}
