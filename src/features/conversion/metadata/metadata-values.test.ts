import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { date, double, list, long, string } from '../../../model/field.ts'
import { shownMetadata, tagValue, valueForField, writtenValues } from './metadata-values.ts'
import { parseTagName } from './tag-name.ts'

describe('metadata', () => {
  const found = { 'EXIF:Copyright': 'Free', 'IPTC:Copyright': 'Not free', 'EXIF:ISO': 200 }

  test('is shown with the standard or without, of two the first, and only what is asked for', () => {
    assert.deepEqual(shownMetadata(found, { ignorePrefix: false }), found)
    assert.deepEqual(shownMetadata(found, { ignorePrefix: true }), { Copyright: 'Free', ISO: 200 })
    assert.deepEqual(shownMetadata(found, { ignorePrefix: true, tags: ['IPTC:Copyright'] }), { Copyright: 'Not free' })
    assert.deepEqual([tagValue(found, 'ISO'), tagValue(found, 'EXIF:ISO'), tagValue(found, 'XMP:ISO')], [200, 200, undefined])
  })

  const typed = [
    ['a', string(), 'a'],
    [200, string(), '200'],
    [['a', 'b'], string(), 'a, b'],
    [71.6, long(), 72],
    ['seventy', long(), undefined],
    ['35.0 mm', double(), 35],
    ['wide', double(), undefined],
    ['2024:05:06 07:08:09', date(), '2024-05-06T07:08:09.000Z'],
    ['0000:00:00 00:00:00', date(), undefined],
    ['a', list(string()), ['a']],
    [['a', null, 2], list(string()), ['a', '2']],
  ] as const
  for (const [value, field, expected] of typed) {
    test(`${JSON.stringify(value)} in a field of ${field.type.kind} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(valueForField(value as never, field.type), expected)
    })
  }

  test('is written as texts, dates as cameras write them', () => {
    assert.deepEqual(writtenValues('T', '2020-01-02T03:04:05.000Z'), ['2020:01:02 03:04:05'])
    assert.deepEqual(writtenValues('T', ['a', 1, true]), ['a', '1', 'true'])
    assert.deepEqual(writtenValues('T', null), [])
    assert.throws(() => writtenValues('T', { a: 1 }), /must be a text/)
  })
})

describe('the name of a tag', () => {
  test('is one word, perhaps with its standard', () => {
    assert.deepEqual(parseTagName('Caption-Abstract'), { tag: 'Caption-Abstract' })
    assert.deepEqual(parseTagName('XMP-dc:Title'), { group: 'XMP-dc', tag: 'Title' })
  })

  test('never becomes an option, an assignment from a file, or a change of files', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          const { group = 'All', tag } = parseTagName(text)
          assert.match(`-${group}:${tag}=`, /^-[A-Za-z][\w-]*:[A-Za-z][\w-]*=$/)
        } catch (error) {
          assert.match(String(error), /is no tag that can be written/)
        }
      }),
    )
    for (const text of ['filename', 'FileModifyDate', 'GeoTag', 'SymLink', 'System:Comment', 'a<b', 'a=', 'a:b:c'])
      assert.throws(() => parseTagName(text), text)
  })
})
