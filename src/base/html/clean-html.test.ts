import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanHtml, findHtmlExcess } from './clean-html.ts'

describe('cleanHtml', () => {
  const hostile: readonly [what: string, html: string, clean: string][] = [
    ['a script', 'a<script>alert(1)</script>b', 'ab'],
    ['a script in another', '<scr<script>ipt>alert(1)</script>', 'ipt&gt;alert(1)'],
    ['a script that does not end', 'a<script>alert(1)', 'a'],
    ['a handler', '<img src="x.png" onerror="alert(1)">', '<img src="x.png" />'],
    ['a handler without quotes', '<p onclick=alert(1)>x</p>', '<p>x</p>'],
    ['a handler behind a slash', '<img/onerror=alert(1)/src=x.png>', '<img />'],
    ['an address that runs', '<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['one in other letters', '<a href="JaVa&#115;cript&colon;alert(1)">x</a>', '<a>x</a>'],
    ['one with invisible characters', '<a href="java&#x0A;script:alert(1)">x</a>', '<a>x</a>'],
    ['one that is a page', '<a href="data:text/html,<script>alert(1)</script>">x</a>', '<a>x</a>'],
    ['a frame', '<iframe srcdoc="<script>alert(1)</script>"></iframe>x', 'x'],
    ['a drawing', '<svg onload="alert(1)"><script>alert(1)</script><a xlink:href="javascript:alert(1)">x</a></svg>', '<a>x</a>'],
    ['mathematics', '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>x', 'x'],
    ['a form', '<form action="//evil"><input name="p"><button>go</button></form>', 'go'],
    ['a page that sends elsewhere', '<meta http-equiv="refresh" content="0;url=//evil"><base href="//evil">x', 'x'],
    ['a style sheet', '<style>body{display:none}</style><link rel="stylesheet" href="//evil">x', 'x'],
    ['a style that asks another server', '<p style="background:url(//evil); color: red">x</p>', '<p style="color: red">x</p>'],
    ['a style that covers the page', '<p style="position:fixed;top:0;width:100%">x</p>', '<p style="width:100%">x</p>'],
    ['a name that stands for something of the page', '<a id="body" name="body">x</a>', '<a>x</a>'],
    ['a comment', '<!--[if IE]><script>alert(1)</script><![endif]-->x', 'x'],
  ]
  for (const [what, html, clean] of hostile) test(`takes ${what} away`, async () => assert.equal(await cleanHtml(html), clean))

  const written = [
    '<h1>Title</h1><p class="ql-align-center" style="color: rgb(230, 0, 0)">some <strong>bold</strong> and <em>other</em> text</p>',
    '<ul><li>one</li><li>two</li></ul><ol start="3"><li>three</li></ol>',
    '<table border="1"><tbody><tr><td colspan="2">cell</td></tr></tbody></table>',
    '<p><a href="https://example.org/?a=1&amp;b=2" target="_blank" rel="noopener">link</a> <a href="/ui/#!/doc/1">own</a></p>',
    '<p><img src="data:image/png;base64,iVBORw0KGgo=" alt="a dot" width="1" /> 1 &lt; 2 &amp; 3</p>',
    '<pre><code>if (a &lt; b) {}</code></pre><blockquote>said</blockquote><hr /><p>ünïcödé 日本</p>',
  ]
  for (const html of written) {
    test(`leaves ${html.slice(0, 40)}… as it was written`, async () => assert.equal(await cleanHtml(html), html))
  }
  test('changes nothing when it cleans again', async () => {
    for (const [, html] of hostile) {
      const once = await cleanHtml(html)
      assert.equal(await cleanHtml(once), once)
    }
  })
})

describe('findHtmlExcess', () => {
  const bounds = { maxLength: 10_000 }
  test('counts characters, but not those of embedded images', () => {
    assert.deepEqual(findHtmlExcess('x'.repeat(10_001), bounds), { kind: 'long', length: 10_001 })
    assert.equal(findHtmlExcess(`<img src="data:image/png;base64,${'A'.repeat(50_000)}">`, bounds), undefined)
  })
  test('finds more elements in each other than any real page nests', () => {
    assert.deepEqual(findHtmlExcess('<b>'.repeat(1_001), bounds), { kind: 'deep' })
    assert.deepEqual(findHtmlExcess('<p><li>'.repeat(600), bounds), { kind: 'deep' })
    assert.equal(findHtmlExcess('<b>x</b>'.repeat(1_200), bounds), undefined)
    assert.equal(findHtmlExcess('<p>x<br>'.repeat(1_200), bounds), undefined)
  })
  test('looks at hostile text once', () => {
    const started = performance.now()
    for (const piece of ['<', '<a ', '</b>', '<b>', 'data:image/png;base64,', '<p><b>']) {
      findHtmlExcess(piece.repeat(1_000_000 / piece.length), { maxLength: 2_000_000 })
    }
    assert.ok(performance.now() - started < 5_000)
  })
})
