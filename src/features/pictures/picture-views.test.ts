import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { viewFileName, viewTemplatesIn } from './picture-views.ts'

describe('view templates', () => {
  test('are those with a title, with 1200 pixels unless told', () => {
    const list = [
      { title: 'Cover', description: 'd', tag: 't', maxsize: 300 },
      { title: 'Page' },
      { title: ' ' },
      { maxsize: 3 },
      null,
    ]
    assert.deepEqual(viewTemplatesIn(list), [
      { title: 'Cover', description: 'd', tag: 't', maxSize: 300 },
      { title: 'Page', description: null, tag: null, maxSize: 1200 },
    ])
  })

  test('with a size that is none have 1200 pixels', () => {
    const sizes = [0, -4, 1.5, 'wide'].map((maxsize) => viewTemplatesIn([{ title: 'a', maxsize }])?.[0]?.maxSize)
    assert.deepEqual(sizes, [1200, 1200, 1200, 1200])
  })

  test('are none where none is named, and at most twenty', () => {
    assert.equal(viewTemplatesIn([]), undefined)
    assert.equal(viewTemplatesIn('text'), undefined)
    assert.equal(viewTemplatesIn(Array.from({ length: 99 }, (_, index) => ({ title: `v${index}` })))?.length, 20)
  })
})

for (const [name, expected] of [
  ['holiday.PNG', 'Small_holiday.jpg'],
  ['a.b.tiff', 'Small_a.b.jpg'],
  ['.hidden', 'Small_.hidden.jpg'],
  [null, 'Small_file.jpg'],
] as const) {
  test(`10.2 the small view of ${name} is called ${expected}`, () => assert.equal(viewFileName('Small', name), expected))
}
