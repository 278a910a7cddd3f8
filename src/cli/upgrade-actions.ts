import { stringifyJson } from '../base/json.ts'
import type { Settings } from '../builtin-settings.ts'
import { type CommandContext, type ExitCode, exitCodes } from '../command/command.ts'
import { tablesOf } from '../plugin/plugin-tables.ts'
import { readDefinitions } from '../server/definitions.ts'
import { upgradeData } from '../server/open-data.ts'
import { everyRow, readVersion } from '../store/backup/back-up-tables.ts'
import { databaseTooNew, pluginTablesTooNew } from '../store/problems.ts'
import { latestVersion } from '../store/sql/migrations.ts'
import type { PluginTables } from '../store/tables.ts'
import type { CarriedSource } from '../store/transfer/carried-database.ts'
import { openSnapshots } from '../store/transfer/open-carried.ts'
import { createLog } from './command/log.ts'
import { placeOf } from './moving/data-place.ts'

type UpgradeCall = CommandContext<unknown, { readonly json: boolean; readonly dryRun: boolean }, object>

/** From one version to another; those of the server itself have the name `quire`. */
interface Step {
  readonly tables: string
  readonly from: number
  readonly to: number
}

type Plan = { readonly [repository: string]: readonly Step[] }

/** @throws databaseAbsent, databaseForeign, databaseTooNew, pluginTablesTooNew */
export async function upgradeAll(call: UpgradeCall): Promise<ExitCode> {
  const settings = call.settings as Settings // all of their groups were read
  const definitions = readDefinitions({ plugins: call.plugins, settings })
  const plan = await planUpgrade(settings, tablesOf(definitions.plugins))
  const isUpToDate = Object.values(plan).every((steps) => steps.length === 0)
  const { dryRun, json } = call.options
  if (!dryRun && !isUpToDate) await upgradeData(settings, definitions, createLog(settings.logLevel, process.stderr))
  const done = !dryRun && !isUpToDate
  call.print(json ? stringifyJson({ isUpToDate, done, steps: asJson(plan) }) : inWords(plan, isUpToDate, done))
  return exitCodes.done
}

async function planUpgrade(settings: Settings, plugins: readonly PluginTables[]): Promise<Plan> {
  const { sources, close } = await openSnapshots(placeOf(settings), settings.repositories)
  try {
    const plan: Record<string, readonly Step[]> = {}
    for (const [repository, source] of sources) plan[repository] = await planRepository(source, plugins)
    return plan
  } finally {
    await close()
  }
}

async function planRepository(source: CarriedSource, plugins: readonly PluginTables[]): Promise<readonly Step[]> {
  const from = await readVersion(source)
  if (from > latestVersion) throw databaseTooNew({ version: from, known: latestVersion })
  const own = { tables: 'quire', from, to: latestVersion }
  const noted = await readPluginVersions(source)
  const others = plugins.map(({ plugin, migrations }) => {
    const step = { tables: plugin, from: noted.get(plugin) ?? 0, to: migrations.at(-1)?.version ?? 0 }
    if (step.from > step.to) throw pluginTablesTooNew({ plugin, version: step.from, known: step.to })
    return step
  })
  return [own, ...others].filter((step) => step.from < step.to)
}

/** A database that is old enough has no such table. */
async function readPluginVersions(source: CarriedSource): Promise<ReadonlyMap<string, number>> {
  const versions = new Map<string, number>()
  const name = 'plugin_versions'
  if ((await source.listTables([name])).length === 0) return versions
  for await (const [plugin, version] of everyRow(source, name, ['plugin', 'version']))
    versions.set(String(plugin), Number(version))
  return versions
}

function asJson(plan: Plan) {
  return Object.fromEntries(Object.entries(plan).map(([repository, steps]) => [repository, steps.map((step) => ({ ...step }))]))
}

function inWords(plan: Plan, isUpToDate: boolean, done: boolean): string {
  if (isUpToDate) return 'All tables are what this program works with. There is nothing to do.'
  const lines = Object.entries(plan).flatMap(([repository, steps]) =>
    steps.map(({ tables, from, to }) => `${repository}: tables of ${tables} from version ${from} to ${to}`),
  )
  const end = done
    ? 'All of it was done.'
    : 'Nothing was changed. The command without --dry-run does it, and so does the next start of a server.'
  return [...lines, end].join('\n')
}
