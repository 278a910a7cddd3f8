import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cornerOn, parsePdfEdit, turnedBox, wrongPdfParameter } from './pdf-edit.ts'

describe('what is done to a PDF', () => {
  test('has the usual values where nothing is said', () => {
    assert.deepEqual(parsePdfEdit({ edit: 'number' }), {
      kind: 'number',
      firstPage: 1,
      firstNumber: 1,
      position: 'Bottom right',
      font: 'Helvetica',
      fontSize: 16,
      color: [1, 1, 1],
    })
    const stamped = parsePdfEdit({ edit: 'stampText', text: 'Draft' })
    assert.deepEqual(stamped.kind === 'stampText' && [stamped.fontSize, stamped.opacity, stamped.color], [72, 0.5, [0, 0, 0]])
  })

  test('knows colours in both ways of writing them', () => {
    for (const hex255Color of ['0xff0000', '#FF0000', 'ff0000']) {
      const edit = parsePdfEdit({ edit: 'number', hex255Color })
      assert.deepEqual(edit.kind === 'number' && edit.color, [1, 0, 0])
    }
  })

  for (const [told, message] of [
    [{ edit: 'extract', startPage: '3', endPage: '2' }, 'endPage must be at least startPage, which is 3, not 2.'],
    [{ edit: 'extract', startPage: '0', endPage: '2' }, 'startPage must be a number from 1 on, not 0.'],
    [{ edit: 'extract', startPage: '1.5', endPage: '2' }, 'startPage must be a whole number, not 1.5.'],
    [{ edit: 'extract', startPage: '1' }, 'endPage must be a number from 1 on, not empty.'],
    [{ edit: 'number', hex255Color: 'red' }, 'hex255Color must be a colour such as #ff8000, not red.'],
    [{ edit: 'number', fontSize: '0.5' }, 'fontSize must be a number from 1 to 1000, not 0.5.'],
    [{ edit: 'stampText', text: ' ' }, 'text must be a text of at most 10000 characters, not  .'],
    [{ edit: 'stampText', text: 'a', alphaColor: '2' }, 'alphaColor must be a number from 0 to 1, not 2.'],
    [{ edit: 'stampImage', relativeCoordinates: 'true', xPosition: '2' }, 'xPosition must be a number from 0 to 1, not 2.'],
    [{ edit: 'encrypt', keyLength: '256' }, 'keyLength must be one of 40, 128, not 256.'],
    [{ edit: 'encrypt', print: 'yes' }, 'print must be one of true, false, not yes.'],
    [{ edit: 'shred' }, 'edit must be the name of something that can be done to a PDF, not shred.'],
  ] as const) {
    test(`is refused: ${message}`, () => assert.throws(() => parsePdfEdit(told), { message }))
  }

  test('is refused in words, whatever is said', () => {
    const words = fc.dictionary(
      fc.constantFrom('edit', 'startPage', 'endPage', 'fontSize', 'text', 'scale', 'print'),
      fc.string(),
    )
    fc.assert(
      fc.property(words, (told) => {
        try {
          parsePdfEdit(told)
        } catch (error) {
          assert.ok(wrongPdfParameter.is(error))
        }
      }),
    )
  })
})

describe('where something is laid on a page', () => {
  const [page, laid] = [
    { width: 200, height: 100 },
    { width: 50, height: 20 },
  ]
  const place = { x: 10, y: 5, isInvertedX: false, isInvertedY: false, isRelative: false }

  test('is counted in points from below and from the left', () => assert.deepEqual(cornerOn(page, laid, place), { x: 10, y: 5 }))
  test('or from above and from the right', () =>
    assert.deepEqual(cornerOn(page, laid, { ...place, isInvertedX: true, isInvertedY: true }), { x: 140, y: 75 }))
  test('or is a share of the room that is left', () =>
    assert.deepEqual(cornerOn(page, laid, { ...place, x: 0.5, y: 1, isRelative: true }), { x: 75, y: 80 }))
  test('what is turned by a right angle takes as much room the other way', () => {
    const box = turnedBox(laid, 90)
    assert.deepEqual(
      [box.width, box.height, box.left, box.below].map((side) => Math.round(side) + 0),
      [20, 50, 20, 0],
    )
  })
})
