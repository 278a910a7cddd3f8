import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { captionsWithin, parseSubtitles, writeCaptions } from './captions.ts'

const text =
  '1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>One</i>\r\ntwo\r\n\r\n2\n01:00:00.5 --> 01:00:01.25\n{\\an8}Late\n\nrubbish'

describe('subtitles', () => {
  const captions = parseSubtitles(text)
  test('are read without what is for players', () =>
    assert.deepEqual(captions, [
      { from: 1, to: 2.5, text: 'One\ntwo' },
      { from: 3600.5, to: 3601.25, text: 'Late' },
    ]))
  test('are written as plain text, with times on each line, and as they were', () => {
    assert.equal(writeCaptions(captions, 'txt'), 'One\ntwo\nLate\n')
    assert.equal(writeCaptions(captions, 'ttxt'), '00:00:01,000|00:00:02,500|One two\n01:00:00,500|01:00:01,250|Late\n')
    assert.deepEqual(parseSubtitles(writeCaptions(captions, 'srt')), captions)
  })
  test('are those that are shown within a time', () => assert.deepEqual(captionsWithin(captions, 2, 10), captions.slice(0, 1)))
  test('of any text are some, or none', () => fc.assert(fc.property(fc.string(), (any) => Array.isArray(parseSubtitles(any)))))
})
