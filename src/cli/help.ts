import type { SettingDeclaration } from '../settings/define-settings.ts'
import { type KnownSetting, knownSettings } from '../settings/known-settings.ts'
import type { Command } from './command.ts'

/** What `quire help` prints. */
export function overview(commands: readonly Command[]): string {
  const rows = [...commands, { name: 'help', summary: 'show this, or the settings of a command' }].map(
    ({ name, summary }): Row => [name, [summary]],
  )
  return [
    'Quire, a document-management server',
    '',
    'Usage: quire <command> [--setting value …]',
    '',
    ...aligned(rows),
    '',
    'quire <command> --help lists the settings of a command, quire --version prints the version.',
  ].join('\n')
}

/** What `quire serve --help` prints: every setting with its default, its environment variable and what it is for. */
export function commandHelp(command: Command): string {
  const groups = command.settings.map((group) => knownSettings([group]).map(settingRow))
  return [
    `quire ${command.name}: ${command.summary}`,
    '',
    `Usage: quire ${command.name} [--setting value …]`,
    '',
    'A setting is taken from its flag, else its environment variable, else quire.config.ts, else it has its default.',
    '--no-flag sets one that is true or false to false. In a list entries are separated by commas.',
    '',
    ...aligned([...groups.flatMap((rows) => [...rows, blankRow]), ...commonRows]),
  ].join('\n')
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
