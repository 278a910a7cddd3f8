import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { apiSettings } from '../settings/api-settings.ts'
import { contentSettings } from '../settings/content-settings.ts'
import { knownSettings } from '../settings/known-settings.ts'
import { searchSettings } from '../settings/search-settings.ts'
import { serverSettings } from '../settings/server-settings.ts'
import type { Command } from './command.ts'
import { commandHelp, overview } from './help.ts'

const aCommand = (settings: Command['settings']): Command => ({
  name: 'count',
  summary: 'count documents',
  settings,
  run: async () => 0,
})

describe('the help of a command', () => {
  const help = commandHelp(aCommand([serverSettings, apiSettings, contentSettings, searchSettings]))

  for (const { declaration, flag, variable } of knownSettings([serverSettings, apiSettings, contentSettings, searchSettings])) {
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

test('the overview lists every command with its summary', () => {
  assert.match(overview([aCommand([])]), /^ {2}count {2}count documents$/m)
})
