// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how one of the languages writes expressions
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseTextTemplate, type TemplateLanguage } from './text-template.ts'

const text = (written: string) => ({ kind: 'text', text: written })
const value = (expression: string) => ({ kind: 'value', expression })

describe('a template', () => {
  for (const [language, source] of [
    ['ftl', '<a>${Document.title}</a>'],
    ['mvel', '<a>@{Document.title}</a>'],
  ] as const) {
    test(`in ${language} is texts and expressions in turns`, () =>
      assert.deepEqual(parseTextTemplate(source, language), [text('<a>'), value('Document.title'), text('</a>')]))
  }

  test('in office files may have its tags in square brackets', () => {
    const source = '[#list a[0] as x][#if x["]"] == 1]${x}[#else/]-[/#if][/#list][#-- no --]<#if y>z</#if>'
    const [list, condition] = parseTextTemplate(source, 'office')
    const choice = {
      kind: 'choice',
      branches: [
        { condition: 'x["]"] == 1', pieces: [value('x')] },
        { condition: undefined, pieces: [text('-')] },
      ],
    }
    assert.deepEqual(list, { kind: 'list', expression: 'a[0]', item: 'x', pieces: [choice] })
    assert.deepEqual(condition, { kind: 'choice', branches: [{ condition: 'y', pieces: [text('z')] }] })
    assert.deepEqual(parseTextTemplate('[#if a]', 'ftl'), [text('[#if a]')])
  })

  for (const [language, source] of [
    ['ftl', '<#list Documents as d>${d.id}<#if d.isLocked>!<#elseif a["x>"] == 1>?<#else>.</#if></#list>'],
    ['mvel', '@foreach{d : Documents}@{d.id}@if{d.isLocked}!@else{a["x>"] == 1}?@else{}.@end{}@end{}'],
  ] as const) {
    test(`in ${language} has lists and conditions`, () =>
      assert.deepEqual(parseTextTemplate(source, language), [
        {
          kind: 'list',
          expression: 'Documents',
          item: 'd',
          pieces: [
            value('d.id'),
            {
              kind: 'choice',
              branches: [
                { condition: 'd.isLocked', pieces: [text('!')] },
                { condition: 'a["x>"] == 1', pieces: [text('?')] },
                { condition: undefined, pieces: [text('.')] },
              ],
            },
          ],
        },
      ]))
  }

  test('ends an expression where it ends, and not at a bracket in a text of it', () =>
    assert.deepEqual(parseTextTemplate('${"}"}', 'ftl'), [value('"}"')]))

  test('has remarks', () => assert.deepEqual(parseTextTemplate('a<#-- ${b} -->c', 'ftl'), [text('a'), text('c')]))

  test('of the other language is a text', () => assert.deepEqual(parseTextTemplate('@{a}', 'ftl'), [text('@{a}')]))

  for (const [language, source, message] of [
    ['ftl', 'a\n<#if b>', 'The template is wrong in line 2: a condition has no end.'],
    ['ftl', '<#list a as b>', 'The template is wrong in line 1: a list has no end.'],
    ['ftl', '<#list a>x</#list>', 'The template is wrong in line 1: write <#list … as x>.'],
    ['ftl', '<#if a></#list>', 'The template is wrong in line 1: this ends nothing that was begun.'],
    ['ftl', '<#else>', 'The template is wrong in line 1: there is no condition that this is the else of.'],
    ['ftl', '<#-- a', 'The template is wrong in line 1: a remark has no end.'],
    ['mvel', '@end{}', 'The template is wrong in line 1: this ends nothing that was begun.'],
    ['mvel', '@foreach{a}', 'The template is wrong in line 1: write @foreach{x : …}.'],
  ] satisfies readonly (readonly [TemplateLanguage, string, string])[]) {
    test(`is refused: ${source}`, () => assert.throws(() => parseTextTemplate(source, language), { message }))
  }

  test('of more levels than anybody writes is refused', () => {
    const levels = 60
    const source = `${'<#if a>'.repeat(levels)}${'</#if>'.repeat(levels)}`
    assert.throws(() => parseTextTemplate(source, 'ftl'), /more than 50 levels/)
  })
})
