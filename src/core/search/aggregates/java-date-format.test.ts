import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { namedTimeZone, utc } from '../../../nxql/time-zone.ts'
import { javaDateFormat } from './java-date-format.ts'

const moment = Date.UTC(2024, 2, 5, 15, 4, 6, 78)

describe('a date format', () => {
  const rows: [pattern: string, text: string][] = [
    ['dd-MM-yyyy', '05-03-2024'],
    ['"dd-MM-yyyy"', '05-03-2024'],
    ['MM-yyyy', '03-2024'],
    ['yyyy', '2024'],
    ['yy', '24'],
    ['d/M', '5/3'],
    ['MMM yyyy', 'Mar 2024'],
    ['EEEE, d MMMM', 'Tuesday, 5 March'],
    ["yyyy-MM-dd'T'HH:mm:ss.SSS", '2024-03-05T15:04:06.078'],
    ["h 'o''clock' a", "3 o'clock PM"],
    ['HH:mm Z', '15:04 +0000'],
    ['HH:mmXXX', '15:04Z'],
  ]
  for (const [pattern, text] of rows) {
    test(`${pattern} writes ${text}`, () => assert.equal(javaDateFormat(pattern).format(moment, utc), text))
  }

  test('writes what clocks of the zone show', () => {
    assert.equal(javaDateFormat('dd HH:mm ZZ').format(moment, namedTimeZone('America/New_York')), '05 10:04 -05:00')
  })

  test('reads the first moment of what it writes', () => {
    assert.equal(javaDateFormat('MM-yyyy').parse('03-2024', utc), Date.UTC(2024, 2, 1))
    assert.equal(javaDateFormat('yyyyMMdd').parse('20240305', utc), Date.UTC(2024, 2, 5))
    assert.equal(javaDateFormat('MM-yyyy').parse('03-2024', namedTimeZone('Europe/Paris')), Date.UTC(2024, 1, 29, 23))
    assert.equal(javaDateFormat('h a').parse('3 pm', utc), 15 * 3_600_000)
    assert.equal(javaDateFormat('dd-MM-yyyy Z').parse('05-03-2024 +0200', utc), Date.UTC(2024, 2, 4, 22))
  })

  for (const text of ['', '2024-03', '13-2024', '03-2024 ', 'x']) {
    test(`does not read '${text}' as MM-yyyy unless it is one`, () => {
      assert.equal(javaDateFormat('MM-yyyy').parse(text, utc), text === '03-2024 ' ? Date.UTC(2024, 2, 1) : undefined)
    })
  }

  test('reads back what it wrote, for every moment', () => {
    const { format, parse } = javaDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSS")
    const moments = fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    fc.assert(fc.property(moments, (date) => parse(format(date.getTime(), utc), utc) === date.getTime()))
  })

  test('with a letter that means nothing is refused', () => {
    assert.throws(() => javaDateFormat('dd-QQ'), { message: 'the letter Q has no meaning in a date format' })
  })
})
