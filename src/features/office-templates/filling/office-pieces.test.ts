// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how templates write expressions
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { escapeXmlText } from '../../../base/xml.ts'
import type { TemplatePiece } from '../../rendering/index.ts'
import { type OfficeFamily, openDocumentFamily, wordFamily } from './office-family.ts'
import { piecesOfPart } from './office-pieces.ts'
import { parseXml } from './xml-tree.ts'

type Values = { readonly [name: string]: string | boolean | readonly string[] }

const open = () => ({ elements: 10_000, rest: () => undefined })
const read = (xml: string) => parseXml(xml, 'part.xml', open())

/** What the pieces give for plain values, without the engine that evaluates expressions. */
function fill(pieces: readonly TemplatePiece[], values: Values, family: OfficeFamily): string {
  return pieces.map((piece) => written(piece, values, family)).join('')
}

function written(piece: TemplatePiece, values: Values, family: OfficeFamily): string {
  switch (piece.kind) {
    case 'text':
      return piece.text
    case 'value':
      return family.written(String(values[piece.expression]))
    case 'list':
      return (values[piece.expression] as readonly string[])
        .map((item) => fill(piece.pieces, { ...values, [piece.item]: item }, family))
        .join('')
    case 'choice': {
      const taken = piece.branches.find(({ condition }) => condition === undefined || values[condition] === true)
      return fill(taken?.pieces ?? [], values, family)
    }
  }
}

async function filled(xml: string, values: Values, family = wordFamily, loops: readonly string[] = []): Promise<string> {
  const budget = { marks: 1_000, blockMarks: 1_000, rest: () => undefined }
  const pieces = await piecesOfPart(await read(xml), family, { part: 'part.xml', loops: new Set(loops), budget })
  const text = fill(pieces, values, family).replace(/^<\?xml.*\?>\n/, '')
  requireWellFormed(text)
  return text
}

function requireWellFormed(xml: string): void {
  const parser = new SaxesParser()
  parser.on('error', (error) => assert.fail(`${error.message}: ${xml}`))
  parser.write(`<all xmlns:w="w" xmlns:text="t" xmlns:table="b">${xml}</all>`).close()
}

const run = (text: string, looks = '') => `<w:r>${looks}<w:t>${escapeXmlText(text)}</w:t></w:r>`
const paragraph = (...runs: readonly string[]) => `<w:p>${runs.join('')}</w:p>`
const row = (...cells: readonly string[]) => `<w:tr>${cells.map((cell) => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`
const body = (...content: readonly string[]) => `<w:body>${content.join('')}</w:body>`
const said = (text: string) => paragraph(run(text))

/** The paragraphs of what came out, by their texts alone. */
function textsIn(xml: string): readonly string[] {
  return [...xml.matchAll(/<(?:w:p|text:p)>(.*?)<\/(?:w:p|text:p)>|<w:p\/>/g)].map(([, inner = '']) =>
    inner.replace(/<[^>]*>/g, ''),
  )
}

const blocks = { xs: ['one', 'two'], yes: true, no: false, name: 'N' }

describe('a template in an office file', () => {
  test('is filled in where a placeholder is divided over several runs', async () => {
    const looks = '<w:rPr><w:b/></w:rPr>'
    const xml = paragraph(run('Dear $', looks), '<w:proofErr w:type="spellStart"/>', run('{na'), run('me} of us', looks))
    assert.equal(
      await filled(xml, blocks),
      `<w:p><w:r>${looks}<w:t xml:space="preserve">Dear N</w:t></w:r><w:proofErr w:type="spellStart"/><w:r><w:t xml:space="preserve"></w:t></w:r><w:r>${looks}<w:t xml:space="preserve"> of us</w:t></w:r></w:p>`,
    )
  })

  test('keeps quotation marks and blanks that office programs have made pretty out of expressions', async () => {
    const xml = said('“${doc[“dc:title”]}”\u00A0${ name }')
    assert.deepEqual(textsIn(await filled(xml, { 'doc["dc:title"]': 'T', name: 'N' })), ['“T”\u00A0N'])
  })

  for (const [name, content, texts] of [
    ['repeats what is inside of a paragraph', [said('a <#list xs as x>${x}, </#list>z')], ['a one, two, z']],
    ['knows tags in square brackets', [said('[#list xs as x]${x}[/#list][#if no]?[#else]![/#if]')], ['onetwo!']],
    ['repeats paragraphs', [said('<#list xs as x>'), said('${x}'), said('.'), said('</#list>')], ['one', '.', 'two', '.']],
    ['leaves paragraphs out', [said('a'), said('<#if no>'), said('b'), said('</#if>'), said('c')], ['a', 'c']],
    ['chooses paragraphs', [said('<#if no>'), said('a'), said('<#else>'), said('b'), said('</#if>')], ['b']],
    ['divides paragraphs that begin before', [said('a <#if yes>b'), said('c</#if> d')], ['a ', 'b', 'c', ' d']],
    ['nests', [said('<#list xs as x><#if yes>'), said('${x}'), said('</#if></#list>')], ['one', 'two']],
    ['drops remarks', [said('a<#-- ${b} -->c')], ['ac']],
    ['leaves what is no placeholder', [said('$ {a} <a> [b] #if')], ['$ {a} &lt;a&gt; [b] #if']],
  ] as const) {
    test(name, async () => assert.deepEqual(textsIn(await filled(body(...content), blocks)), texts))
  }

  test('repeats the row of a table when a list begins in one cell and ends in another', async () => {
    const table = `<w:tbl>${row(said('head'), said('er'))}${row(said('<#list xs as x>${x}'), said('x</#list>'))}</w:tbl>`
    const text = await filled(body(table), blocks)
    assert.equal(text.match(/<w:tr>/g)?.length, 3)
    assert.deepEqual(textsIn(text), ['head', 'er', 'one', 'x', 'two', 'x'])
  })

  test('repeats rows between those that have nothing but the tags', async () => {
    const table = `<w:tbl>${row(said('<#list xs as x><#if yes>'))}${row(said('${x}'))}${row(said('</#if></#list>'))}</w:tbl>`
    const text = await filled(body(table), blocks)
    assert.deepEqual([text.match(/<w:tr>/g)?.length, textsIn(text)], [2, ['one', 'two']])
  })

  test('keeps a paragraph in a cell that is emptied', async () => {
    const table = `<w:tbl>${row([said('<#if no>'), said('a'), said('</#if>')].join(''))}</w:tbl>`
    assert.match(await filled(body(table), blocks), /<w:tc><w:p\/><\/w:tc>/)
  })

  test('keeps the end of a section when its paragraph is divided', async () => {
    const looks = '<w:pPr><w:sectPr/></w:pPr>'
    const text = await filled(body(said('<#if no>'), `<w:p>${looks}${run('a</#if>')}</w:p>`), blocks)
    assert.equal(text, `<w:body><w:p>${looks}</w:p></w:body>`)
  })

  test('repeats the row around a parameter that is looped over by itself', async () => {
    const table = `<w:tbl>${row(said('${xs}'), said('- ${xs}'))}</w:tbl>`
    assert.deepEqual(textsIn(await filled(body(table), blocks, wordFamily, ['xs'])), ['one', '- one', 'two', '- two'])
    assert.deepEqual(textsIn(await filled(body(said('a'), said('${xs}')), blocks, wordFamily, ['xs'])), ['a', 'one', 'two'])
  })

  test('of OpenDocument is filled in alike', async () => {
    const inner =
      '<text:p>a <text:span text:style-name="T1">$</text:span>{name}<text:s/><text:tab/>[#if<text:s/> no]b[#else]c[/#if]</text:p>'
    const text = await filled(`<office:text xmlns:office="o">${inner}</office:text>`, blocks, openDocumentFamily)
    assert.match(text, /<text:p>a <text:span text:style-name="T1">N<\/text:span><text:s\/><text:tab\/>c<\/text:p>/)
  })

  test('of OpenDocument repeats items of lists', async () => {
    const item = (text: string) => `<text:list-item><text:p>${escapeXmlText(text)}</text:p></text:list-item>`
    const list = `<text:list>${item('[#list xs as x]')}${item('${x}')}${item('[/#list]')}</text:list>`
    const text = await filled(list, blocks, openDocumentFamily)
    assert.equal(
      text,
      '<text:list><text:list-item><text:p>one</text:p></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>',
    )
  })

  for (const [what, content] of [
    ['a list without an end', said('<#list xs as x>')],
    ['an end without a beginning', said('</#if>')],
    ['an else without a condition', said('<#else>')],
    ['a list that ends outside of its table', `<w:tbl>${row(said('<#list xs as x>'))}</w:tbl>${said('</#list>')}`],
    ['a condition that ends with a list', said('<#list xs as x><#if yes></#list></#if>')],
    ['an else between the cells of one row', `<w:tbl>${row(said('<#if yes>'), said('<#else>'), said('</#if>'))}</w:tbl>`],
  ] as const) {
    test(`is refused for ${what}`, () => assert.rejects(filled(body(content), blocks), { code: 'wrongOfficeTemplate' }))
  }

  test('is refused for a declaration of its form, entities and what is no XML', async () => {
    for (const xml of [
      '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
      '<a>&b;</a>',
      '<a>',
      '',
      'a',
      '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
    ])
      await assert.rejects(read(xml), { code: 'officeFileDamaged' })
  })

  test('is refused when it has too many elements, levels or placeholders', async () => {
    const deep = `${'<a>'.repeat(300)}${'</a>'.repeat(300)}`
    await assert.rejects(read(deep), { code: 'templateTooLarge' })
    await assert.rejects(read(`<a>${'<b/>'.repeat(20_000)}</a>`), { code: 'templateTooLarge' })
    await assert.rejects(filled(said('${name}'.repeat(2_000)), blocks), { code: 'templateTooLarge' })
  })
})

describe('whatever the office program did', () => {
  const source = 'Dear ${name}, <#list xs as x>${x}<#if yes>;<#else>.</#if> </#list>end [#if no]never[/#if]!'
  const values = { ...blocks, name: 'A & B <c> "d"' }
  const expected = `Dear ${values.name}, one; two; end !`
  const text = (xml: string) => {
    let said = ''
    const parser = new SaxesParser()
    parser.on('text', (part) => {
      said += part
    })
    parser.write(xml).close()
    return said
  }
  const cuts = fc.array(fc.nat({ max: source.length }), { maxLength: 30 })
  const cut = (places: readonly number[]) => {
    const sorted = [0, ...places, source.length].toSorted((left, right) => left - right)
    return sorted.slice(1).map((end, index) => source.slice(sorted[index], end))
  }

  test('the same text comes out, and it is well-formed', () =>
    fc.assert(
      fc.asyncProperty(cuts, fc.boolean(), async (places, isBold) => {
        const xml = paragraph(
          ...cut(places).map((part, index) => run(part, isBold && index % 2 === 0 ? '<w:rPr><w:b/></w:rPr>' : '')),
        )
        assert.equal(text(await filled(xml, values)), expected)
      }),
      { numRuns: 150 },
    ))

  test('the same is true of OpenDocument', () =>
    fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const spans = cut(places).map((part, index) =>
          index % 2 === 0 ? escapeXmlText(part) : `<text:span>${escapeXmlText(part)}</text:span>`,
        )
        assert.equal(text(await filled(`<text:p>${spans.join('')}</text:p>`, values, openDocumentFamily)), expected)
      }),
      { numRuns: 150 },
    ))

  test('no value becomes markup', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.constantFrom(wordFamily, openDocumentFamily), async (value, family) => {
        const xml = family === wordFamily ? said('${name}') : '<text:p>${name}</text:p>'
        const names = (await filled(xml, { name: value }, family)).match(/<\/?[\w:]+/g) ?? []
        const usual = ['w:p', 'w:r', 'w:t', 'w:br', 'w:tab', 'text:p', 'text:s', 'text:tab', 'text:line']
        assert.deepEqual(
          names.filter((name) => !usual.includes(name.replace(/<\/?/, ''))),
          [],
        )
      }),
      { numRuns: 150 },
    ))

  test('lists and conditions over any paragraphs and cells stay well-formed, or are refused', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('<#list xs as x>', '</#list>', '<#if yes>', '</#if>', '<#else>', 'a', '|', '/', '${name}'), {
          maxLength: 25,
        }),
        async (parts) => {
          const rows = parts
            .join('')
            .split('/')
            .map((line) => row(...line.split('|').map(said)))
          const xml = body(
            said(
              parts
                .slice(0, 5)
                .filter((part) => part.length > 1)
                .join(''),
            ),
            `<w:tbl>${rows.join('')}</w:tbl>`,
          )
          await filled(xml, blocks).catch((error) => assert.equal(error.code, 'wrongOfficeTemplate', error))
        },
      ),
      { numRuns: 300 },
    ))
})
