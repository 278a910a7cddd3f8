import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatsIn } from '../../words/formats.ts'
import { isLike, shownValue, sourceOf } from './setting.ts'

test('a setting says where it was given', () => {
  const sources = [null, '--port', '--property a.b', 'QUIRE_PORT', 'port in quire.config.ts'].map((origin) =>
    sourceOf({ origin }),
  )
  assert.deepEqual(sources, ['default', 'commandLine', 'commandLine', 'environment', 'file'])
})

test('a value is shown as people say it', () => {
  const shown = (type: string, value: unknown) => shownValue({ type, value: value as never }, 'en', formatsIn('en'))
  assert.equal(shown('duration', 90_000), '90 seconds')
  assert.equal(shown('duration', 3_600_000), '1 hour')
  assert.equal(shown('duration', 0), '0 milliseconds')
  assert.equal(shown('bytes', 10_000_000), '10 MB')
  assert.equal(shown('list', ['a', 'b']), 'a, b')
  assert.equal(shown('list', []), undefined)
  assert.equal(shown('boolean', false), 'false')
  assert.equal(shown('string', null), undefined)
})

test('a setting is found by words of its names and of what it does', () => {
  const setting = {
    name: 'httpPort',
    flag: '--port',
    variable: 'QUIRE_PORT',
    property: 'a.port',
    type: 'integer',
    help: 'Port to listen on',
  }
  const like = (text: string) => isLike({ ...setting, value: 1, origin: null }, text)
  assert.deepEqual(['listen PORT', 'quire_port', 'a.port', '', 'listen twice'].map(like), [true, true, true, true, false])
})
