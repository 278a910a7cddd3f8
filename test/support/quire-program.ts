import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../..')
const bundled = join(root, 'node_modules/.cache/quire-program')
const variable = 'QUIRE_TEST_PROGRAM'

/** The sources: for a configuration that imports modules of `src/`, which are to be those that run. */
export const quireSources = join(root, 'src/main.ts')

/** The program, from the bundle of this run if it has made one. */
export const quireProgram = process.env[variable] ?? join(root, 'bin/quire.js')

/**
 * Bundles the program as `npm run build` does, for this run alone: it starts with half the processor time that its sources take, and
 * no test that builds the package takes it from under another one.
 */
export async function bundleProgram(): Promise<void> {
  rmSync(bundled, { recursive: true, force: true })
  mkdirSync(bundled, { recursive: true })
  for (const part of ['bin', 'template', 'package.json']) cpSync(join(root, part), join(bundled, part), { recursive: true })
  await promisify(execFile)(process.execPath, [join(root, 'build/bundle.ts'), join(bundled, 'dist')])
  process.env[variable] = join(bundled, 'bin/quire.js')
}
