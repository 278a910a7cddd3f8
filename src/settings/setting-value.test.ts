import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { SettingDeclaration } from './define-settings.ts'
import { expectationOf } from './expectation.ts'
import { parseSettingValue } from './setting-value.ts'

type WithoutHelp<D> = D extends unknown ? Omit<D, 'help'> : never

const help = 'for a test'
const aPort = { type: 'integer', min: 0, max: 65535 } as const
const aName = { matches: /^[a-z]+$/, expected: 'a name' } as const

const accepted: readonly [WithoutHelp<SettingDeclaration>, unknown, unknown][] = [
  [{ type: 'string' }, '', ''],
  [{ type: 'string', pattern: aName }, 'alice', 'alice'],
  [{ type: 'secret' }, 'hush', 'hush'],
  [aPort, '0', 0],
  [aPort, '65535', 65535],
  [aPort, 8080, 8080],
  [{ type: 'integer' }, '-1', -1],
  [{ type: 'boolean' }, 'true', true],
  [{ type: 'boolean' }, 'False', false],
  [{ type: 'boolean' }, false, false],
  [{ type: 'bytes' }, '4 GiB', 4 * 2 ** 30],
  [{ type: 'bytes' }, '50MB', 50_000_000],
  [{ type: 'bytes' }, '1.5 kB', 1500],
  [{ type: 'bytes' }, 1024, 1024],
  [{ type: 'bytes', min: '1 kB' }, '1000', 1000],
  [{ type: 'duration' }, '250ms', 250],
  [{ type: 'duration' }, '30s', 30_000],
  [{ type: 'duration' }, '60m', 3_600_000],
  [{ type: 'duration' }, '36h', 129_600_000],
  [{ type: 'duration' }, '1d', 86_400_000],
  [{ type: 'duration', bareUnit: 's' }, '300', 300_000],
  [{ type: 'duration', bareUnit: 'm' }, 60, 3_600_000],
  [{ type: 'list' }, ' a, b ,,c', ['a', 'b', 'c']],
  [{ type: 'list' }, '', []],
  [{ type: 'json' }, '{"a": {"b": [1]}}', { a: { b: [1] } }],
  [{ type: 'json' }, { a: { b: ['c'], left: undefined } }, { a: { b: ['c'] } }],
  [{ type: 'jsonList' }, '[{"a": 1}]', [{ a: 1 }]],
  [{ type: 'jsonList' }, [{ a: 1, left: undefined }], [{ a: 1 }]],
  [{ type: 'list' }, ['a', 'b'], ['a', 'b']],
  [{ type: 'list', always: ['default'] }, 'archive', ['default', 'archive']],
  [{ type: 'list', always: ['default'] }, 'archive,default', ['default', 'archive']],
  [{ type: 'choice', choices: ['warn', 'info'] }, 'info', 'info'],
  [{ type: 'choice', choices: ['', 'Lax', 'None'] }, 'none', 'None'],
  [{ type: 'choice', choices: ['', 'Lax', 'None'] }, '', ''],
  [{ type: 'url' }, 'https://example.org/x', 'https://example.org/x'],
  [{ type: 'url', protocols: ['postgres'] }, 'postgres://me:secret@db/quire', 'postgres://me:secret@db/quire'],
]

const refused: readonly [WithoutHelp<SettingDeclaration>, unknown, string][] = [
  [{ type: 'string' }, ['a'], 'text'],
  [{ type: 'string' }, null, 'text'],
  [{ type: 'string', pattern: aName }, 'Alice', 'a name'],
  [{ type: 'secret' }, {}, 'text'],
  [aPort, '80a', 'a whole number from 0 to 65535'],
  [aPort, '', 'a whole number from 0 to 65535'],
  [aPort, '65536', 'a whole number from 0 to 65535'],
  [aPort, 80.5, 'a whole number from 0 to 65535'],
  [{ type: 'integer', min: 1 }, '0', 'a whole number, 1 or more'],
  [{ type: 'integer', max: 9 }, '10', 'a whole number, at most 9'],
  [{ type: 'integer' }, '9007199254740993', 'a whole number'],
  [{ type: 'boolean' }, 'yes', 'true or false'],
  [{ type: 'boolean' }, '', 'true or false'],
  [{ type: 'bytes' }, '4 GiBi', 'a size such as 512 kB, 50 MB or 4 GiB'],
  [{ type: 'bytes' }, '-1', 'a size such as 512 kB, 50 MB or 4 GiB'],
  [{ type: 'bytes', min: '1 kB' }, '999', 'a size such as 512 kB, 50 MB or 4 GiB, 1 kB or more'],
  [{ type: 'duration' }, '60', 'a duration such as 30s, 60m, 36h or 1d'],
  [{ type: 'duration' }, '1 week', 'a duration such as 30s, 60m, 36h or 1d'],
  [
    { type: 'duration', bareUnit: 's', min: '1s' },
    '0',
    'a duration such as 30s, 60m, 36h or 1d (a number alone is in s), 1s or more',
  ],
  [{ type: 'json' }, '[]', 'an object, or its JSON'],
  [{ type: 'json' }, '{a}', 'an object, or its JSON'],
  [{ type: 'json' }, null, 'an object, or its JSON'],
  [{ type: 'jsonList' }, '{}', 'a list of objects, or its JSON'],
  [{ type: 'jsonList' }, ['a'], 'a list of objects, or its JSON'],
  [{ type: 'list' }, 7, 'a comma-separated list'],
  [{ type: 'list' }, ['a', 7], 'a comma-separated list'],
  [{ type: 'list', pattern: aName }, 'alice,Bob', 'a comma-separated list whose entries are each a name'],
  [{ type: 'choice', choices: ['warn', 'info'] }, 'loud', 'one of warn, info'],
  [{ type: 'url' }, 'example.org', 'a URL that starts with http:// or https://'],
  [{ type: 'url' }, 'ftp://example.org', 'a URL that starts with http:// or https://'],
  [{ type: 'url', protocols: ['postgres'] }, 'postgres:quire', 'a URL that starts with postgres://'],
]

describe('a value given for a setting', () => {
  for (const [declaration, given, value] of accepted) {
    test(`${JSON.stringify(declaration)} takes ${JSON.stringify(given)} as ${JSON.stringify(value)}`, () => {
      assert.deepEqual(parseSettingValue({ ...declaration, help }, given), value)
    })
  }

  for (const [declaration, given, expected] of refused) {
    test(`${JSON.stringify(declaration)} refuses ${JSON.stringify(given)} and wants ${expected}`, () => {
      assert.equal(parseSettingValue({ ...declaration, help }, given), undefined)
      assert.equal(expectationOf({ ...declaration, help }), expected)
    })
  }

  test('an integer comes back as it was written', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (number) => parseSettingValue({ type: 'integer', help }, String(number)) === number),
    )
  })

  test('whatever the text, a number within its bounds or nothing comes out', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const value = parseSettingValue({ ...aPort, help }, text)
        return value === undefined || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65535)
      }),
    )
  })
})
