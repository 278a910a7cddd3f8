import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defineSettings } from './define-settings.ts'
import { duplicateSetting, illTypedSetting, unknownSetting } from './problems.ts'
import { readCommandLine } from './read-settings.ts'

const settings = defineSettings({
  port: { type: 'integer', default: 8080, help: 'Port' },
  data: { type: 'string', default: './data', help: 'Folder' },
})
const options = defineSettings({
  email: { type: 'string', help: 'Address' },
  json: { type: 'boolean', default: false, help: 'As JSON' },
})

const read = (flags: readonly string[], environment = {}, config = {}) =>
  readCommandLine([settings], options, { flags, environment, config })

describe('a command line', () => {
  test('is read into settings, options and operands, in whatever order they stand', () => {
    const expected = {
      settings: { port: 1, data: './data' },
      options: { email: 'a@b.c', json: true },
      operands: ['bob', 'carol'],
      origins: new Map([['port', '--port']]),
    }
    assert.deepEqual(read(['bob', '--port', '1', '--json', 'carol', '--email=a@b.c']), expected)
    assert.deepEqual(read(['--email', 'a@b.c', '--json', 'bob', '--port=1', 'carol']), expected)
  })
  test('tells what gave each setting, the first of those that offer it', () => {
    const { origins } = read(['--port', '1'], { QUIRE_PORT: '2', QUIRE_DATA: '/d' }, { settings: { data: '/e', port: 3 } })
    assert.deepEqual(Object.fromEntries(origins), { port: '--port', data: 'QUIRE_DATA' })
    assert.deepEqual(Object.fromEntries(read([], {}, { settings: { data: '/e' } }).origins), { data: 'data in quire.config.ts' })
    assert.equal(read([]).origins.size, 0)
  })
  test('has the defaults of options, and undefined without one', () => {
    assert.deepEqual(read([]).options, { email: undefined, json: false })
  })
  test('has as operands what looks like flags behind two dashes', () => {
    assert.deepEqual(read(['--json', '--', '--email', '-x']).operands, ['--email', '-x'])
  })
  test('names the nearest option for an unknown flag, not the word behind it', () => {
    assert.throws(
      () => read(['bob', '--emial', 'a@b.c']),
      (error: Error) => unknownSetting.is(error) && error.message.includes('--emial') && error.message.includes('--email'),
    )
  })
  test('is refused when an option has no value', () => {
    assert.throws(() => read(['--email']), illTypedSetting.is)
  })
})

describe('an option', () => {
  test('is not taken from the environment', () => {
    assert.throws(() => read([], { QUIRE_EMAIL: 'a@b.c' }), unknownSetting.is)
  })
  test('is not taken from the configuration file', () => {
    assert.throws(() => read([], {}, { settings: { email: 'a@b.c' } }), unknownSetting.is)
  })
  test('cannot go by the name of a setting', () => {
    assert.throws(() => readCommandLine([settings], { port: { type: 'string', help: 'Port' } }, {}), duplicateSetting.is)
  })
})
