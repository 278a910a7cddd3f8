import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeHtml } from './escape-html.ts'

test('a text for a page means nothing but itself there', () => {
  assert.equal(escapeHtml(`<a href="x" title='y'>&amp;</a>`), '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;')
  assert.equal(escapeHtml('plain — text 😀'), 'plain — text 😀')
})
