import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatXml, textElement } from './xml.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

describe('XML', () => {
  test('is indented, and elements without anything are short', () => {
    const children = [textElement('b', 'text'), { name: 'c', children: [{ name: 'd' }] }]
    assert.equal(
      formatXml({ name: 'a', attributes: { x: '1', y: '2' }, children }),
      `${declaration}<a x="1" y="2">\n  <b>text</b>\n  <c>\n    <d/>\n  </c>\n</a>\n`,
    )
  })

  test('keeps an empty text apart from nothing', () => {
    assert.equal(formatXml(textElement('a', '')), `${declaration}<a></a>\n`)
  })

  test('escapes what means something in attributes and texts', () => {
    assert.equal(
      formatXml({ name: 'a', attributes: { x: '<"&\n' }, text: '</a>&amp;' }),
      `${declaration}<a x="&lt;&quot;&amp;&#10;">&lt;/a&gt;&amp;amp;</a>\n`,
    )
  })

  test('keeps sections to the letter, also what would end them', () => {
    assert.equal(formatXml({ name: 'a', cdata: ' <b>\n]]>&' }), `${declaration}<a><![CDATA[ <b>\n]]]]><![CDATA[>&]]></a>\n`)
  })

  test('has no characters that XML does not know', () => {
    assert.equal(formatXml({ name: 'a', text: 'a\u0000b\uD800c\uFFFEd' }), `${declaration}<a>a\uFFFDb\uFFFDc\uFFFDd</a>\n`)
  })
})
