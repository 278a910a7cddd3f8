import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { htmlToText, isHtml, readableText, unescapeEntities } from './html-text.ts'

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '')

describe('a text is taken for HTML', () => {
  for (const text of [
    '<!DOCTYPE html><p>x',
    '<!doctype   html >',
    '  <html lang="en">',
    '<?xml version="1.0"?>\n<!-- page -->\n<HTML>',
    '<p>Hello</p>',
    '\n<h1 class="title">x</h1>',
  ]) {
    test(`when it is ${JSON.stringify(text)}`, () => assert.equal(isHtml(text), true))
  }
  for (const text of ['', 'a < b and c > d', '<htmlish>', 'say <p> for a paragraph', '<invoice><p>1</p></invoice>', '<3 <b']) {
    test(`but not when it is ${JSON.stringify(text)}`, () => assert.equal(isHtml(text), false))
  }
})

describe('what is read of HTML', () => {
  test('is its text, and its title', () => {
    const page = '<html><head><title>Annual report</title></head><body><h1>Sales</h1><p>were good</p></body></html>'
    assert.deepEqual(words(htmlToText(page)), ['Annual', 'report', 'Sales', 'were', 'good'])
  })

  test('has a blank between blocks and none where only letters look different', () => {
    assert.deepEqual(words(htmlToText('<p>un<b>believ</b>able</p><p>story<br>told</p>')), ['unbelievable', 'story', 'told'])
  })

  test('is nothing of comments, scripts and styles', () => {
    const page = '<p>a<!-- b --><script type="x">c("</p>")</script><STYLE>.d{}</STYLE >e<![CDATA[f]]></p>'
    assert.deepEqual(words(htmlToText(page)), ['a', 'e'])
  })

  test('ends where a comment, a tag or a script does not', () => {
    for (const open of ['<!-- b', '<p b', '<script> b', '<style>b']) assert.deepEqual(words(htmlToText(`<p>a ${open}`)), ['a'])
  })

  test('keeps a bracket that opens no tag', () => {
    assert.equal(htmlToText('1 < 2 <3 &lt;p&gt;'), '1 < 2 <3 <p>')
  })

  test('takes a time that grows with the page and no more', () => {
    for (const piece of ['<!--', '<p', '<script>', '<', '</', '<a "', '&']) {
      const started = performance.now()
      htmlToText(piece.repeat(500_000))
      assert.ok(performance.now() - started < 2_000, `${piece} took too long`)
    }
  })

  test('never has a tag, whatever the page', () => {
    const markup = fc.constantFrom(
      '<p>',
      '</p>',
      '<b>',
      '<br/>',
      '<!-- x -->',
      '<script>y</script>',
      'word',
      ' ',
      '<i class="z">',
    )
    fc.assert(
      fc.property(fc.array(markup), (pieces) => {
        assert.match(htmlToText(pieces.join('')), /^[\sword]*$/)
      }),
    )
  })
})

describe('entities', () => {
  for (const [written, meant] of [
    ['caf&eacute; &Eacute;t&eacute;', 'café Été'],
    ['&Ccaron;apek &lstrok;&oacute;d&zacute; &Uuml;ber &ntilde; &aring; &ccedil;', 'Čapek łódź Über ñ å ç'],
    ['&szlig; &aelig; &OElig; &oslash; &thorn;', 'ß æ Œ ø þ'],
    ['&alpha;&sigmaf; &Omega;', 'ας Ω'],
    ['&#233;&#xE9;&#X1F600;', 'éé😀'],
    ['R&amp;D &lt; &quot;x&quot;', 'R&D < "x"'],
    ['a&nbsp;b', 'a\u00a0b'],
  ] as const) {
    test(`${written} is ${meant}`, () => assert.equal(unescapeEntities(written), meant))
  }

  test('that do not exist stay as they are written', () => {
    for (const text of ['&nothing;', '&qcaron;', 'AT&T', '&;', '&#0;', '&#xD800;', '&#99999999;', '& eacute;', '&circ;']) {
      assert.equal(unescapeEntities(text), text)
    }
  })

  test('are read once: an escaped entity is text', () => {
    assert.equal(unescapeEntities('&amp;eacute;'), '&eacute;')
  })

  test('are read in any text, tags only in HTML', () => {
    assert.equal(readableText('a &eacute; <p>'), 'a é <p>')
    assert.equal(readableText('<p>a &eacute;</p>').trim(), 'a é')
  })
})
