import { execFile } from 'node:child_process'
import { stringifyJson } from '../../../base/json.ts'
import { type CommandContext, type ExitCode, exitCodes } from '../../../command/command.ts'
import { createPrograms, type ExternalProgram, externalPrograms, programNames } from '../../../core/conversion/programs.ts'

/** What was found out about a program. */
interface Finding {
  readonly program: string
  readonly path: string | null
  readonly version: string | null
  readonly gives: string
  readonly debian: string
}

type DoctorCall = CommandContext<{ readonly conversionPath: string | undefined }, { readonly json: boolean }, object>

export async function examine({ settings, options, environment, print }: DoctorCall): Promise<ExitCode> {
  const programs = createPrograms(settings.conversionPath ?? environment['PATH'] ?? '')
  const findings = await Promise.all(
    programNames.map(async (program): Promise<Finding> => {
      const known: ExternalProgram = externalPrograms[program]
      const path = programs.find(program) ?? null
      const version = path === null ? null : await versionOf(path, known.version)
      return { program, path, version, gives: known.gives, debian: known.debian }
    }),
  )
  if (options.json) print(stringifyJson({ node: process.version, programs: findings }))
  else for (const line of report(findings)) print(line)
  return exitCodes.done
}

function report(findings: readonly Finding[]): readonly string[] {
  const found = findings.filter(({ path }) => path !== null)
  const missing = findings.filter(({ path }) => path === null)
  const width = Math.max(...findings.map(({ program }) => program.length))
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

function section(title: string, findings: readonly Finding[], line: (finding: Finding) => string): readonly string[] {
  return findings.length === 0 ? [] : ['', title, ...findings.map((finding) => `  ${line(finding)}`)]
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
