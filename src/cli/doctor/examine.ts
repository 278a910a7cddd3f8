import { stringifyJson } from '../../base/json.ts'
import type { Settings } from '../../builtin-settings.ts'
import { type CommandContext, type ExitCode, exitCodes } from '../../command/command.ts'
import { verifyMailServer } from '../../features/mail/index.ts'
import { findDangers } from './dangerous-settings.ts'
import { examineDatabases } from './database.ts'
import { examineFiles } from './files.ts'
import { advice, type Finding, good, reasonOf, wrong } from './finding.ts'
import { examinePrograms, type FoundProgram, tellPrograms } from './programs.ts'

type DoctorCall = CommandContext<Settings, { readonly json: boolean }, object>

export async function examine(call: DoctorCall): Promise<ExitCode> {
  const { settings, options, environment, print } = call
  const [findings, programs] = await Promise.all([
    examineAll(call),
    examinePrograms(settings.conversionPath ?? environment['PATH'] ?? ''),
  ])
  if (options.json) print(stringifyJson({ node: process.version, findings, programs }))
  else for (const line of report(findings, programs)) print(line)
  return findings.some(({ state }) => state === 'wrong') ? exitCodes.failed : exitCodes.done
}

async function examineAll({ settings, openServices }: DoctorCall): Promise<readonly Finding[]> {
  const areas = await Promise.all([
    examineDatabases(settings),
    examineFiles(settings),
    examineMail(settings),
    findDangers(settings, () => findDefaultPassword(openServices)),
  ])
  return areas.flat()
}

/** Whether mail would be taken; none is sent. */
async function examineMail(settings: Settings): Promise<readonly Finding[]> {
  const about = 'mail'
  const { smtpUrl } = settings
  if (smtpUrl === undefined)
    return [
      advice({
        about,
        fact: 'no mail server is set.',
        costs: 'Mail goes to files: nobody is notified, and no invitation arrives.',
        remedy: 'Set --smtp-url and --mail-from, and QUIRE_SMTP_PASSWORD where the server wants one.',
      }),
    ]
  try {
    await verifyMailServer(settings)
    return [good(about, `${new URL(smtpUrl).host} would take it.`)]
  } catch (error) {
    return [
      wrong({
        about,
        fact: `${new URL(smtpUrl).host} does not take it: ${reasonOf(error)}`,
        costs: 'Notifications and invitations wait, and are given up after some attempts (GET /management/jobs?state=parked).',
        remedy: 'Check --smtp-url, --mail-from and QUIRE_SMTP_PASSWORD, and whether this machine may connect to it.',
      }),
    ]
  }
}

/** Whether the first user still has the password that everybody knows; undefined where that cannot be found out. */
async function findDefaultPassword(openServices: DoctorCall['openServices']): Promise<boolean | undefined> {
  try {
    const { services, close } = await openServices({ onlyDirectories: true })
    try {
      const { defaultPassword, firstAdministrator } = await import('../../settings/administrator-password.ts')
      return await services.principals.hasPassword(firstAdministrator, defaultPassword)
    } finally {
      await close()
    }
  } catch {
    // What is wrong with the database is told by those who look at it.
    return undefined
  }
}

const titles = { wrong: 'Wrong:', advice: 'Worth a look:', good: 'Well:' } as const

function report(findings: readonly Finding[], programs: readonly FoundProgram[]): readonly string[] {
  const sections = (['wrong', 'advice', 'good'] as const).flatMap((state) => {
    const some = findings.filter((finding) => finding.state === state)
    return some.length === 0 ? [] : [titles[state], ...some.flatMap(tell), '']
  })
  return [...sections, ...tellPrograms(programs)]
}

function tell({ about, fact, costs, remedy }: Finding): readonly string[] {
  return [
    `  ${about}: ${fact}`,
    ...(costs === undefined ? [] : [`    ${costs}`]),
    ...(remedy === undefined ? [] : [`    → ${remedy}`]),
  ]
}
