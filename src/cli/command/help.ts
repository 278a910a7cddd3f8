import { type Command, type CommandFamily, usageOf } from '../../command/command.ts'
import { placeholder } from '../../command/operands.ts'
import type { SettingDeclaration, SettingDeclarations } from '../../settings/define-settings.ts'
import { type KnownSetting, knownSettings } from '../../settings/known-settings.ts'

type Listed = Pick<Command, 'name' | 'summary'>

/** What `quire help` prints. */
export function overview(commands: readonly Listed[]): string {
  return [
    'Quire, a document-management server',
    '',
    'Usage: quire <command> [--setting value …]',
    '',
    ...aligned([...commands, { name: 'help', summary: 'show this, or what a command takes' }].map(commandRow)),
    '',
    'quire <command> --help lists what a command takes, quire --version prints the version.',
  ].join('\n')
}

/** What `quire user --help` prints. */
export function familyHelp({ name, summary }: CommandFamily, commands: readonly Listed[]): string {
  return [
    `quire ${name}: ${summary}`,
    '',
    `Usage: quire ${name} <command> …`,
    '',
    ...aligned(commands.map(commandRow)),
    '',
    `quire ${name} <command> --help lists what a command takes.`,
  ].join('\n')
}

/** What `quire serve --help` prints: every setting with its default, its environment variable and what it is for. */
export function commandHelp(command: Command): string {
  const own = [...operandRows(command), ...optionRows(command)]
  return [
    `quire ${command.name}: ${command.summary}`,
    '',
    `Usage: ${usageOf(command)}`,
    '',
    ...command.notes.flatMap((note) => [note, '']),
    ...(own.length === 0 ? [] : [...aligned(own), '']),
    'A setting is taken from its flag, else its environment variable, else quire.config.ts, else it has its default.',
    '--no-flag sets one that is true or false to false. In a list entries are separated by commas.',
    ...(command.shownSettings === undefined ? [] : ['Those of quire serve that are not listed here are understood too.']),
    '',
    ...aligned([...settingRows(command), ...commonRows]),
  ].join('\n')
}

function commandRow({ name, summary }: Listed): Row {
  return [name, [summary]]
}

function operandRows({ operands }: Command): readonly Row[] {
  return Object.entries(operands).map(([name, { help, count }]): Row => [placeholder(name, count), [help]])
}

function optionRows({ options }: Command): readonly Row[] {
  return knownSettings([options]).map(
    ({ flag, declaration }): Row => [`--${flag}${placeholderOf(declaration)}`, [declaration.help, shownDefault(declaration)]],
  )
}

/** A switch that is off unless it is given needs no word about that. */
function shownDefault(declaration: SettingDeclaration): string {
  return declaration.default === false ? '' : (defaultOf(declaration) ?? '')
}

/** Group by group, with a blank line behind each. */
function settingRows({ settings, shownSettings }: Command): readonly Row[] {
  const isShown = ({ name }: KnownSetting) => shownSettings === undefined || shownSettings.includes(name)
  const shownOf = (group: SettingDeclarations) => knownSettings([group]).filter(isShown).map(settingRow)
  return settings.map(shownOf).flatMap((rows) => (rows.length === 0 ? [] : [...rows, blankRow]))
}

/** A first column and the lines beside it. */
type Row = readonly [string, readonly string[]]

const blankRow: Row = ['', []]

const commonRows: readonly Row[] = [
  ['--property <name=value>', ['A setting by its name with dots, such as platform.cors.urls; may be repeated']],
  ['-h, --help', ['Show this']],
]

function settingRow(setting: KnownSetting): Row {
  const { declaration, flag, variable } = setting
  const names = [defaultOf(declaration), variable, declaration.property].filter((name) => name !== undefined)
  const first = declaration.type === 'secret' ? variable : `--${flag}${placeholderOf(declaration)}`
  return [first, [declaration.help, names.filter((name) => name !== first).join(' · ')]]
}

function placeholderOf(declaration: SettingDeclaration): string {
  if (declaration.type === 'boolean') return ''
  return declaration.type === 'choice'
    ? ` <${declaration.choices.filter((choice) => choice !== '').join('|')}>`
    : ` <${placeholders[declaration.type]}>`
}

const placeholders = {
  string: 'text',
  integer: 'number',
  bytes: 'size',
  duration: 'duration',
  list: 'a,b,…',
  secret: 'text',
  url: 'url',
  json: 'json',
  jsonList: 'json',
} as const

function defaultOf(declaration: SettingDeclaration): string | undefined {
  if (declaration.type === 'secret' || declaration.default === undefined) return undefined
  const text = String(declaration.default)
  return `default ${text === '' ? 'empty' : text}`
}

const widestColumn = 34

function aligned(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length).filter((length) => length <= widestColumn))
  return rows.flatMap(([first, [beside = '', ...below]]) => {
    const fits = first.length <= width
    const lines = fits ? [`  ${first.padEnd(width)}  ${beside}`.trimEnd()] : [`  ${first}`, indented(width, beside)]
    return [...lines, ...below.filter((line) => line !== '').map((line) => indented(width, line))]
  })
}

function indented(width: number, line: string): string {
  return `${' '.repeat(width + 4)}${line}`
}
