import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { builtinPlugins } from './builtin-plugins.ts'
import { settingGroups } from './builtin-settings.ts'
import { program } from './cli/program.ts'
import type { SettingDeclarations } from './settings/define-settings.ts'
import { type KnownSetting, knownSettings } from './settings/known-settings.ts'

const guide = readFileSync(new URL('../docs/operating/configure.md', import.meta.url), 'utf8')

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

for (const group of settingGroups) {
  test(`docs/operating/configure.md lists ${Object.keys(group)[0]} and those declared with it as they are`, () => {
    const table = tableOf(group)
    assert.ok(guide.includes(table), `put this table into docs/operating/configure.md:\n${table}`)
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
