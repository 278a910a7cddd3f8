import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseFulltext } from '../../nxql/fulltext/fulltext-expression.ts'
import { markedFragments } from './marked-text.ts'

const termsOf = (expression: string) => parseFulltext(expression).alternatives.flatMap(({ required }) => required)
const mark = (text: string, expression: string) => markedFragments(text, termsOf(expression))

describe('marked fragments', () => {
  const rows: readonly [text: string, expression: string, fragments: readonly string[]][] = [
    ['Annual report', 'report', ['Annual <em>report</em>']],
    ['Annual report', 'REPORT', ['Annual <em>report</em>']],
    ['Un café noir', 'cafe', ['Un <em>café</em> noir']],
    ['Annual reports', 'report', []],
    ['Annual reports', 'repo*', ['Annual <em>reports</em>']],
    ['a report, a Report', 'report', ['a <em>report</em>, a <em>Report</em>']],
    ['first report, report first', '"first report"', ['<em>first</em> <em>report</em>, report first']],
    ['well-known facts', 'well-known', ['<em>well</em>-<em>known</em> facts']],
    ['if a < b & c > d', 'b', ['if a &lt; <em>b</em> &amp; c &gt; d']],
    ['<script>report</script>', 'report', ['&lt;script&gt;<em>report</em>&lt;/script&gt;']],
    ['', 'report', []],
  ]
  for (const [text, expression, fragments] of rows) {
    test(`of '${text}' for ${expression} are ${JSON.stringify(fragments)}`, () =>
      assert.deepEqual(mark(text, expression), fragments))
  }

  const filler = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore '
  test('of a long text are about a hundred characters around each word, cut between words', () => {
    const [fragment = '', ...others] = mark(`${filler}the needle in it ${filler}`, 'needle')
    assert.deepEqual(others, [])
    assert.match(fragment, /^\S.* the <em>needle<\/em> in .*\S$/)
    assert.ok(fragment.length > 70 && fragment.length <= 110, fragment)
    for (const word of fragment.replace(/<\/?em>/g, '').split(' ')) {
      assert.ok(`${filler}the needle in it`.split(' ').includes(word), word)
    }
  })
  test('of a long text are at most five', () => {
    assert.equal(mark(`needle ${filler}`.repeat(9), 'needle').length, 5)
  })
  test('of words close together are one', () => {
    assert.equal(mark(`${filler}needle and needle ${filler}`, 'needle').length, 1)
  })
  test('hold the text as it is but for the marks', () => {
    const word = fc.constantFrom('a', 'bb', 'ccc', 'dddddd', 'eeeeeeeeeeee')
    fc.assert(
      fc.property(fc.array(word, { maxLength: 120 }), word, (words, needle) => {
        const text = words.join(' ')
        const fragments = mark(text, needle)
        assert.equal(fragments.length > 0, words.includes(needle))
        for (const fragment of fragments) {
          assert.ok(text.includes(fragment.replace(/<\/?em>/g, '')), fragment)
          assert.match(fragment, /<em>/)
        }
      }),
    )
  })
})
