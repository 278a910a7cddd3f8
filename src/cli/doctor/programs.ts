import { execFile } from 'node:child_process'
import { createPrograms, type ExternalProgram, externalPrograms, programNames } from '../../core/conversion/programs.ts'

/** What was found out about a program that converts files. */
export interface FoundProgram {
  readonly program: string
  readonly path: string | null
  readonly version: string | null
  readonly gives: string
  readonly debian: string
}

export function examinePrograms(searchPath: string): Promise<readonly FoundProgram[]> {
  const programs = createPrograms(searchPath)
  return Promise.all(
    programNames.map(async (program): Promise<FoundProgram> => {
      const known: ExternalProgram = externalPrograms[program]
      const path = programs.find(program) ?? null
      const version = path === null ? null : await versionOf(path, known.version)
      return { program, path, version, gives: known.gives, debian: known.debian }
    }),
  )
}

export function tellPrograms(programs: readonly FoundProgram[]): readonly string[] {
  const found = programs.filter(({ path }) => path !== null)
  const missing = programs.filter(({ path }) => path === null)
  const width = Math.max(...programs.map(({ program }) => program.length))
  return [
    `Node.js ${process.version}: text and pages of PDF, pictures, office files, mail, Markdown and texts are converted by Quire itself.`,
    ...section(
      'Found:',
      found,
      ({ program, version, path }) => `${program.padEnd(width)}  ${version ?? 'unknown version'}  ${path}`,
    ),
    ...section('Missing:', missing, ({ program, gives, debian }) => `${program.padEnd(width)}  ${gives} (Debian: ${debian})`),
  ]
}

function section(title: string, programs: readonly FoundProgram[], line: (one: FoundProgram) => string): readonly string[] {
  return programs.length === 0 ? [] : ['', title, ...programs.map((one) => `  ${line(one)}`)]
}

const patienceMillis = 10_000

/** The first number that it says; null when it says none. */
function versionOf(path: string, args: readonly string[]): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  execFile(path, [...args], { timeout: patienceMillis }, (_, stdout, stderr) => {
    resolve(/\d+(?:\.\d+)+/.exec(stdout + stderr)?.[0] ?? null)
  })
  return promise
}
