import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseTemplate, renderHtml, renderText, type TemplateValues, wrongTemplate } from './template.ts'

const text = (source: string, values: TemplateValues = {}) => renderText(parseTemplate('a.txt', source), values)
const html = (source: string, values: TemplateValues = {}) => renderHtml(parseTemplate('a.html', source), values)

describe('a mail template', () => {
  test('is filled in with values, of which a missing one is nothing', () => {
    assert.equal(text('Hello {{name}}, {{ other }}!', { name: 'Ann' }), 'Hello Ann, !')
  })

  test('shows sections where there is a value, and inverted ones where there is none', () => {
    const source = '{{#comment}}[{{comment}}]{{/comment}}{{^comment}}none{{/comment}}'
    assert.equal(text(source, { comment: 'well' }), '[well]')
    assert.equal(text(source, { comment: '' }), 'none')
    assert.equal(text(source), 'none')
  })

  test('repeats a section for each of a list, in which outer values can be used', () => {
    const values = { who: 'Ann', items: [{ title: 'a' }, { title: 'b' }] }
    assert.equal(text('{{#items}}{{title}} for {{who}};{{/items}}', values), 'a for Ann;b for Ann;')
    assert.equal(text('{{#items}}x{{/items}}{{^items}}nothing{{/items}}', { items: [] }), 'nothing')
  })

  test('of HTML shows every value as text but the content of a layout', () => {
    assert.equal(html('<p>{{t}}</p>', { t: '<script>"&\'' }), '<p>&lt;script&gt;&quot;&amp;&#39;</p>')
    assert.equal(html('<div>{{{content}}}</div>', { content: '<b>x</b>' }), '<div><b>x</b></div>')
  })

  test('may have remarks, and fills nothing into values', () => {
    assert.equal(text('a{{! not this }}b'), 'ab')
    assert.equal(text('{{a}}', { a: '{{b}}', b: 'no' }), '{{b}}')
  })

  const mistakes: [what: string, source: string, line: number][] = [
    ['a section without an end', 'x\n{{#a}}\ny', 3],
    ['an end without a beginning', 'x\n{{/a}}', 2],
    ['sections that overlap', '{{#a}}{{#b}}{{/a}}{{/b}}', 1],
    ['HTML that is not the content', '\n\n{{{title}}}', 3],
    ['a name that is none', '{{a.b}}', 1],
  ]
  for (const [what, source, line] of mistakes) {
    test(`is refused with ${what}, naming the line`, () => {
      assert.throws(
        () => parseTemplate('a.txt', source),
        (error) => wrongTemplate.is(error) && error.details.line === line,
      )
    })
  }

  test('of HTML never lets a value begin a tag or an attribute', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const shown = html('{{v}}', { v: value })
        return !/[<>"']/.test(shown)
      }),
    )
  })
})
