import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settingGroups } from '../../builtin-settings.ts'
import type { Command } from '../../command/command.ts'
import { knownSettings } from '../../settings/known-settings.ts'
import { commandHelp, overview } from './help.ts'

const aCommand = (settings: Command['settings'], more: Partial<Command> = {}): Command => ({
  kind: 'command',
  name: 'count',
  summary: 'count documents',
  settings,
  options: {},
  operands: {},
  notes: [],
  run: async () => 0,
  ...more,
})

describe('the help of a command', () => {
  const help = commandHelp(aCommand(settingGroups))

  for (const { declaration, flag, variable } of knownSettings(settingGroups)) {
    test(`tells what ${variable} is for and all its names`, () => {
      const entry = help.slice(help.indexOf(declaration.type === 'secret' ? `  ${variable} ` : `  --${flag}`)).split('\n')
      const told = entry.slice(0, 3).join('\n')
      assert.ok(told.includes(declaration.help))
      assert.ok(told.includes(variable))
      assert.ok(told.includes(declaration.property ?? ''))
      if (declaration.type !== 'secret' && declaration.default) assert.ok(told.includes(`default ${declaration.default}`))
    })
  }

  test('sets texts under each other, however long the flags are', () => {
    const settings = {
      port: { type: 'integer', default: 8080, help: 'Port' },
      extraordinarilyLongNameOfSetting: { type: 'boolean', default: false, help: 'Long' },
      statusKey: { type: 'secret', help: 'Key' },
    } as const
    const lines = commandHelp(aCommand([settings]))
      .split('\n')
      .slice(7)
    assert.deepEqual(lines, [
      '  --port <number>          Port',
      '                           default 8080 · QUIRE_PORT',
      '  --extraordinarily-long-name-of-setting',
      '                           Long',
      '                           default false · QUIRE_EXTRAORDINARILY_LONG_NAME_OF_SETTING',
      '  QUIRE_STATUS_KEY         Key',
      '',
      '  --property <name=value>  A setting by its name with dots, such as platform.cors.urls; may be repeated',
      '  -h, --help               Show this',
    ])
  })
})

describe('the help of a command with options and operands', () => {
  const settings = {
    port: { type: 'integer', default: 8080, help: 'Port' },
    data: { type: 'string', default: './data', help: 'Folder' },
  } as const
  const lines = commandHelp(
    aCommand([settings], {
      name: 'user add',
      summary: 'add a user',
      shownSettings: ['data'],
      operands: { name: { help: 'Name' }, group: { help: 'Group', count: 'optional' } },
      options: {
        email: { type: 'string', help: 'Address' },
        rank: { type: 'integer', default: 3, help: 'Rank' },
        json: { type: 'boolean', default: false, help: 'As JSON' },
      },
      notes: ['The password is read.'],
    }),
  ).split('\n')

  test('shows how it is called, its notes, its words and its flags, without variables, before the settings', () => {
    assert.deepEqual(lines.slice(0, 13), [
      'quire user add: add a user',
      '',
      'Usage: quire user add <name> [group] [--flag value …]',
      '',
      'The password is read.',
      '',
      '  <name>           Name',
      '  [group]          Group',
      '  --email <text>   Address',
      '  --rank <number>  Rank',
      '                   default 3',
      '  --json           As JSON',
      '',
    ])
  })
  test('lists only the settings that matter to it, and says that there are more', () => {
    assert.ok(lines.some((line) => line.startsWith('  --data')))
    assert.ok(!lines.some((line) => line.includes('--port')))
    assert.ok(lines.some((line) => line.includes('not listed here')))
  })
})

test('the overview lists every command with its summary', () => {
  assert.match(overview([aCommand([])]), /^ {2}count {2}count documents$/m)
})
