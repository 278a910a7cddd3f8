import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isObject } from '../base/json.ts'
import { defineProblem } from '../base/problem.ts'
import { splitCommandLine } from './command-line.ts'
import { knownSettings } from './known-settings.ts'
import { describeModuleMistake, type LentModules } from './module-mistake.ts'
import { serverSettings } from './server-settings.ts'

/**
 * What `quire.config.ts` exports as its default.
 * @example
 * export default {
 *   settings: { port: 9090, repositories: ['default', 'archive'] },
 *   properties: { 'platform.csrf.token.enabled': true },
 *   plugins: [invoices],
 * } satisfies QuireConfig
 */
export interface QuireConfig {
  /** By the names that settings have in code: `databaseUrl`, `csrfTokenEnabled`. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** By the names of the API's own vocabulary: `platform.csrf.token.enabled`. */
  readonly properties?: Readonly<Record<string, unknown>>
  readonly plugins?: readonly unknown[]
}

export interface LoadedConfig extends Required<QuireConfig> {
  readonly file: string
}

export const wrongConfigFile = defineProblem(
  'wrongConfigFile',
  'invalid',
  (config: { path: string; reason: string }) => `configuration file ${config.path}: ${config.reason}`,
)

const defaultFile = 'quire.config.ts'
const noConfig: LoadedConfig = { file: defaultFile, settings: {}, properties: {}, plugins: [] }

/** Loads the configuration file that the command line, else the environment, names; else the one in the current folder. */
export async function loadConfig(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  directory: string,
  /** Makes modules importable by name, and tells which. */
  lendModules: () => LentModules = () => new Map(),
): Promise<LoadedConfig> {
  const asked = findConfigPath(argv, environment)
  const path = resolve(directory, asked ?? defaultFile)
  if (existsSync(path)) {
    return checkConfig(path, await importDefault(path, lendModules()))
  }
  if (asked !== undefined) throw wrongConfigFile({ path, reason: 'there is no such file' })
  return noConfig
}

/** The file may bring plugins, and these bring settings: so it is found before the other flags can be read. */
function findConfigPath(argv: readonly string[], environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const { flags } = splitCommandLine(knownSettings([serverSettings]), argv)
  return flags.findLast(({ flag }) => flag === 'config')?.value || environment.QUIRE_CONFIG || undefined
}

async function importDefault(path: string, lent: LentModules): Promise<unknown> {
  const { href } = pathToFileURL(path)
  try {
    const module: { default?: unknown } = await import(href)
    return module.default
  } catch (error) {
    throw wrongConfigFile({ path, reason: describeModuleMistake(href, error, lent) }, { cause: error })
  }
}

function checkConfig(path: string, exported: unknown): LoadedConfig {
  const refuse = (reason: string) => wrongConfigFile({ path, reason })
  if (!isObject(exported)) throw refuse('must export an object as its default: export default { settings: { … } }')
  const { settings = {}, properties = {}, plugins = [], ...others } = exported
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw refuse(`${unknown} is not one of settings, properties, plugins`)
  if (!isObject(settings)) throw refuse('settings must be an object of names and values')
  if (!isObject(properties)) throw refuse('properties must be an object of names and values')
  if (!Array.isArray(plugins)) throw refuse('plugins must be a list')
  return { file: basename(path), settings, properties, plugins }
}
