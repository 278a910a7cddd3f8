import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { automationSettings } from './automation/automation-settings.ts'
import { builtinPlugins } from './builtin-plugins.ts'
import { settingGroups } from './builtin-settings.ts'
import { program } from './cli/program.ts'
import { fileSettings } from './core/blobs/file-settings.ts'
import { contentSettings } from './core/content-settings.ts'
import { peopleSettings } from './core/principals/people-settings.ts'
import { searchSettings } from './core/search/search-settings.ts'
import { statusSettings } from './features/server-status/settings.ts'
import { profileSettings } from './features/user-profile/settings.ts'
import { apiSettings } from './rest/api-settings.ts'
import type { SettingDeclarations } from './settings/define-settings.ts'
import { type KnownSetting, knownSettings } from './settings/known-settings.ts'
import { limitSettings } from './settings/limit-settings.ts'
import { serverSettings } from './settings/server-settings.ts'

const guide = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8')

function tableOf(group: SettingDeclarations): string {
  return ['| setting | default | what it is for |', '|---|---|---|', ...knownSettings([group]).map(rowOf)].join('\n')
}

function rowOf({ declaration, flag, variable }: KnownSetting): string {
  const names = [declaration.type === 'secret' ? undefined : `--${flag}`, variable, declaration.property]
  const value = String(declaration.default ?? '')
  const told = declaration.type === 'secret' || value === '' ? '' : codeOf(value)
  return `| ${names.flatMap((name) => (name === undefined ? [] : `\`${name}\``)).join('<br>')} | ${told} | ${declaration.help} |`
}

/** As code in a cell of a table, where a bar would end the cell and a backtick the code. */
function codeOf(value: string): string {
  const text = value.replaceAll('|', '\\|')
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

for (const [title, group] of [
  ['server', serverSettings],
  ['API', apiSettings],
  ['status', statusSettings],
  ['limit', limitSettings],
  ['content', contentSettings],
  ['search', searchSettings],
  ['people', peopleSettings],
  ['profile', profileSettings],
  ['files', fileSettings],
  ['operations', automationSettings],
] as const) {
  test(`docs/operating.md lists the ${title} settings as they are declared`, () => {
    const table = tableOf(group)
    assert.ok(guide.includes(table), `put this table into docs/operating.md:\n${table}`)
  })
}

test('what built-in plugins can be told is among what the program reads, without loading them', () => {
  const listed: readonly SettingDeclarations[] = settingGroups
  assert.deepEqual(
    builtinPlugins.filter(({ settings }) => settings !== undefined && !listed.includes(settings)).map(({ name }) => name),
    [],
  )
})

test('the commands of built-in plugins are among those of the program', () => {
  const commands = builtinPlugins.flatMap((plugin) => Object.entries(plugin.commands ?? {}))
  assert.ok(commands.length >= 5)
  for (const [name, load] of commands) assert.equal(program.commands[name], load, name)
})
