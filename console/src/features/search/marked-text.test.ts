import assert from 'node:assert/strict'
import { test } from 'node:test'
import { piecesOf } from './marked-text.ts'

test('marked words are told from the text around them, of which nothing is markup', () => {
  assert.deepEqual(piecesOf('a &lt;b&gt; <em>R&amp;D</em>\n<em>x</em> <script>'), [
    { text: 'a <b> ', isMatch: false },
    { text: 'R&D', isMatch: true },
    { text: '\n', isMatch: false },
    { text: 'x', isMatch: true },
    { text: ' <script>', isMatch: false },
  ])
  assert.deepEqual(piecesOf(''), [])
})
