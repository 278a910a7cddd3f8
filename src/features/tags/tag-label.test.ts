import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cleanLabel, cleanTerm, emptyTag, maxLabelLength, tagTooLong } from './tag-label.ts'

const usual = { sanitises: true }

describe('the label of a tag', () => {
  const rows: readonly [sent: string, label: string][] = [
    ['Contract', 'contract'],
    ["Bob's  draft", 'bobsdraft'],
    ['a/b\\c', 'abc'],
    ['50%', '50'],
    ['ÉTÉ\u00a02031', 'été2031'],
    ['e\u0301te\u0301', 'été'],
    ['e%\u0301', 'é'],
    ['"quoted"', '"quoted"'],
    ['日本語 🎉', '日本語🎉'],
    ['a\u0000b\u200bc', 'abc'],
    ['a_b*c?d', 'a_b*c?d'],
  ]
  for (const [sent, label] of rows)
    test(`of ${JSON.stringify(sent)} is ${label}`, () => assert.equal(cleanLabel(sent, usual), label))

  test('keeps all but % and upper case where a deployment says so', () => {
    assert.equal(cleanLabel("A / B\\'s 5%", { sanitises: false }), "a / b\\'s 5")
  })
  for (const nothing of ['%', ' ', "/ ' \\", '\u0000', '%%% ']) {
    test(`is not made of ${JSON.stringify(nothing)}`, () => assert.throws(() => cleanLabel(nothing, usual), emptyTag.is))
  }
  test('has an end', () => {
    assert.equal(cleanLabel('a'.repeat(maxLabelLength), usual).length, maxLabelLength)
    assert.throws(() => cleanLabel('a'.repeat(maxLabelLength + 1), usual), tagTooLong.is)
  })
  test('is its own label', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.boolean(), (text, sanitises) => {
        const term = cleanTerm(text, { sanitises }).replaceAll('%', '')
        if (term.trim() === '' || term.length > maxLabelLength) return
        const label = cleanLabel(text, { sanitises })
        assert.equal(cleanLabel(label, { sanitises }), label)
      }),
    )
  })
})

test('a term that is looked for keeps its %', () => assert.equal(cleanTerm('Con%act ', usual), 'con%act'))
