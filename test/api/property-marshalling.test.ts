import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const refused = Symbol('refused')

/** What each JSON text means for a field of each kind, as the JSON text that is read back. */
type Row = { readonly sent: string } & { readonly [kind in keyof typeof fields]: string | typeof refused }

const fields = {
  string: 'spc:text',
  long: 'spc:count',
  double: 'spc:ratio',
  boolean: 'spc:flag',
  date: 'spc:moment',
} as const

const all = <Kind>(value: Kind) => ({ string: value, long: value, double: value, boolean: value, date: value })
const date = '"2031-05-06T00:00:00.000Z"'

const rows: readonly Row[] = [
  { sent: 'null', ...all('null') },
  { sent: '"text"', ...all(refused), string: '"text"', boolean: 'false' },
  { sent: '"42"', string: '"42"', long: '42', double: '42', boolean: 'false', date: refused },
  { sent: '"-7"', string: '"-7"', long: '-7', double: '-7', boolean: 'false', date: refused },
  { sent: '"1.5"', string: '"1.5"', long: refused, double: '1.5', boolean: 'false', date: refused },
  { sent: '"true"', ...all(refused), string: '"true"', boolean: 'true' },
  { sent: '"TrUe"', ...all(refused), string: '"TrUe"', boolean: 'true' },
  { sent: '"2031-05-06"', ...all(refused), string: '"2031-05-06"', boolean: 'false', date },
  { sent: '""', ...all('null'), string: '""' },
  { sent: '"   "', ...all(refused), string: '"   "', boolean: 'false' },
  { sent: '0', string: '"0"', long: '0', double: '0', boolean: 'false', date: refused },
  { sent: '42', string: '"42"', long: '42', double: '42', boolean: 'true', date: refused },
  { sent: '-1', string: '"-1"', long: '-1', double: '-1', boolean: 'true', date: refused },
  { sent: '1.5', string: '"1.5"', long: refused, double: '1.5', boolean: refused, date: refused },
  { sent: 'true', string: '"true"', long: refused, double: refused, boolean: 'true', date: refused },
  { sent: 'false', string: '"false"', long: refused, double: refused, boolean: 'false', date: refused },
  { sent: '{}', ...all(refused) },
  { sent: '{"data":"text"}', ...all(refused) },
  { sent: '[]', ...all(refused) },
  { sent: '["text"]', ...all(refused) },
]

onEachServer(
  'a scalar property',
  (server) => {
    const bench = workbenchOn(server)
    let uid: string
    before(async () => {
      uid = (await bench.create('Specimen')).uid
    })

    const put = (name: string, json: string, headers = {}) =>
      server.as('Administrator').put(`/id/${uid}`, `{"entity-type":"document","properties":{"${name}":${json}}}`, {
        properties: 'specimen',
        ...headers,
      })

    /** The JSON text of a property, digit for digit as it was answered. */
    const rawValue = (text: string, name: string) => {
      const [, value] = new RegExp(`"${name}":("(?:[^"\\\\]|\\\\.)*"|\\[[^\\]]*\\]|[^,}]+)`).exec(text) ?? []
      return value
    }

    const other: { [kind: string]: unknown } = { string: 'old', long: 9, double: 9.5, boolean: true, date: '2001-01-01' }
    for (const [kind, name] of Object.entries(fields)) {
      describe(`of kind ${kind}`, () => {
        for (const row of rows) {
          const expected = row[kind as keyof typeof fields]
          const outcome = typeof expected === 'symbol' ? 'refuses' : 'takes'
          test(`${outcome} ${row.sent}${typeof expected === 'symbol' ? '' : ` as ${expected}`}`, async () => {
            await bench.update(uid, { [name]: other[kind] })
            const untouched = await bench.readProperties(uid)
            const answer = await put(name, row.sent)
            if (typeof expected === 'symbol') {
              const { message } = requireStatus(400, answer)
              assert.deepEqual(answer.body, { 'entity-type': 'exception', status: 400, message })
              assert.equal(message, `Unable to deserialize property: ${name}`)
              assert.deepEqual(await bench.readProperties(uid), untouched)
            } else {
              requireStatus(200, answer)
              assert.equal(rawValue(answer.text, name), expected)
              assert.deepEqual((await bench.readProperties(uid))[name], JSON.parse(expected))
            }
          })
        }
      })
    }

    describe('of 64 bits', () => {
      const digits = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '-9007199254740993']
      for (const number of digits) {
        test(`keeps ${number} digit for digit, sent as a number or as text`, async () => {
          for (const sent of [number, `"${number}"`]) {
            await bench.update(uid, { 'spc:count': 1 })
            const answer = await put('spc:count', sent)
            requireStatus(200, answer)
            assert.equal(rawValue(answer.text, 'spc:count'), number)
            const { text } = await server.as('Administrator').get(`/id/${uid}`, { properties: 'specimen' })
            assert.equal(rawValue(text, 'spc:count'), number)
          }
        })
      }

      for (const number of ['9223372036854775808', '-9223372036854775809', '123456789012345678901234567890', '1e19']) {
        test(`refuses ${number}, which needs more`, async () => {
          await bench.update(uid, { 'spc:count': 1 })
          for (const sent of [number, `"${number}"`]) {
            const { message } = requireStatus(400, await put('spc:count', sent))
            assert.equal(message, 'Unable to deserialize property: spc:count')
          }
          assert.equal((await bench.readProperties(uid))['spc:count'], 1)
        })
      }

      test('keeps its digits in lists, in parts and when the answer is sent back', async () => {
        const large = '9223372036854775807'
        await put('spc:counts', `[1,${large}]`)
        const inner = await put('spc:nested', `{"inner":{"level":${large}}}`)
        assert.match(inner.text, new RegExp(`"level":${large}\\b`))
        const { text } = await server.as('Administrator').get(`/id/${uid}`, { properties: 'specimen' })
        assert.equal(rawValue(text, 'spc:counts'), `[1,${large}]`)
        const back = await server.as('Administrator').put(`/id/${uid}`, text, { properties: 'specimen' })
        requireStatus(200, back)
        assert.equal(back.text, text)
      })

      test('shows what is left of a fraction that was stored before the field was a whole number', async () => {
        const { uid: older } = await bench.create('Bare')
        await bench.change(older, { properties: { 'spc:count': 5.9, 'spc:counts': [-1.5, 2] } })
        const properties = await bench.readProperties(older)
        assert.deepEqual([properties['spc:count'], properties['spc:counts']], [5, [-1, 2]])
      })

      test('becomes its digits as text', async () => {
        const answer = await put('spc:text', '12345678901234567890')
        assert.equal(rawValue(answer.text, 'spc:text'), '"12345678901234567890"')
      })
    })

    describe('of kind double, at its limits', () => {
      const doubles = ['1e3', '-0.25', '1e-7', '"2.5e2"', '"+1"', '12345678901234567890', '1.7976931348623157e308']
      for (const sent of doubles) {
        test(`takes ${sent}`, async () => {
          requireStatus(200, await put('spc:ratio', sent))
          assert.equal((await bench.readProperties(uid))['spc:ratio'], Number(JSON.parse(sent)))
        })
      }

      for (const sent of ['1e400', '"1e400"', '"Infinity"', '"NaN"', '"1,5"', '"0x10"']) {
        test(`refuses ${sent}`, async () => {
          requireStatus(400, await put('spc:ratio', sent))
        })
      }
    })

    describe('of kind binary', () => {
      test('takes and shows base64', async () => {
        const bytes = Buffer.from([0, 1, 250, 255]).toString('base64')
        requireStatus(200, await put('spc:bytes', JSON.stringify(bytes)))
        assert.equal((await bench.readProperties(uid))['spc:bytes'], bytes)
        requireStatus(200, await put('spc:bytes', 'null'))
        assert.equal((await bench.readProperties(uid))['spc:bytes'], null)
      })

      for (const sent of ['"not base64!"', '5', 'true', '{}', '[]']) {
        test(`refuses ${sent}`, async () => {
          const { message } = requireStatus(400, await put('spc:bytes', sent))
          assert.equal(message, 'Unable to deserialize property: spc:bytes')
        })
      }
    })

    describe('of text', () => {
      test('keeps line ends, tabs, emoji and what the reader’s language needs, and drops what nobody can see', async () => {
        const seen = 'a\tb\r\nc 👩‍💻 é می‌خواهم'
        await bench.update(uid, { 'spc:text': `\u0000${seen}\u0007\u200B`, 'spc:words': ['\u0001x', 'y\u0002'] })
        const properties = await bench.readProperties(uid)
        assert.equal(properties['spc:text'], seen)
        assert.deepEqual(properties['spc:words'], ['x', 'y'])
      })

      test('is empty or unset as it was sent, and unset either way for those who ask for the old reading', async () => {
        const legacy = { 'X-NXDocumentJsonLegacy': 'true' }
        const readBack = async (headers: object) => {
          await bench.update(uid, { 'spc:text': 'before', 'spc:words': ['before'] })
          await bench.update(uid, { 'spc:text': '', 'spc:words': ['', 'x'] }, { ...headers })
          const properties = await bench.readProperties(uid)
          return [properties['spc:text'], properties['spc:words']]
        }
        assert.deepEqual(await readBack({}), ['', ['', 'x']])
        assert.deepEqual(await readBack({ 'X-NXDocumentJsonLegacy': 'false' }), ['', ['', 'x']])
        assert.deepEqual(await readBack(legacy), [null, [null, 'x']])
      })

      test('that is a long text takes a text sent as a file', async () => {
        requireStatus(200, await put('spc:memo', '{"data":"said at length","mime-type":"text/plain"}'))
        assert.equal((await bench.readProperties(uid))['spc:memo'], 'said at length')
        requireStatus(200, await put('spc:memo', '{"content":"said otherwise"}'))
        assert.equal((await bench.readProperties(uid))['spc:memo'], 'said otherwise')
        const { message } = requireStatus(400, await put('spc:memo', '{"name":"nothing in it"}'))
        assert.equal(message, 'Unable to deserialize property: spc:memo')
      })
    })
  },
  { plugins: [specimens] },
)
