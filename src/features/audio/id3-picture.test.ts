import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { makeSong } from '../../../test/support/conversion/made-media.ts'
import { findCover, tagLength } from './id3-picture.ts'

const picture = Buffer.from([1, 2, 3, 0, 255, 4])

/** A tag of a version, with a text before the picture. */
function tagOf(version: 2 | 3 | 4, encoding = 0, flags = 0): Buffer {
  const description = encoding === 0 ? Buffer.from('ab\0', 'latin1') : Buffer.from([97, 0, 98, 0, 0, 0])
  const type = version === 2 ? Buffer.from('JPG\x03', 'latin1') : Buffer.from('image/jpeg\0\x03', 'latin1')
  const data = Buffer.concat([Buffer.from([encoding]), type, description, picture])
  const frames = Buffer.concat([
    frameOf(version, version === 2 ? 'TT2' : 'TIT2', Buffer.from('\0song')),
    frameOf(version, version === 2 ? 'PIC' : 'APIC', data),
  ])
  return Buffer.concat([Buffer.from([73, 68, 51, version, 0, flags]), safe(frames.length), frames, Buffer.from('sound')])
}

function frameOf(version: 2 | 3 | 4, id: string, data: Buffer): Buffer {
  const size = version === 4 ? safe(data.length) : Buffer.from([0, 0, data.length >> 8, data.length & 255])
  return Buffer.concat([Buffer.from(id), version === 2 ? size.subarray(1) : Buffer.concat([size, Buffer.alloc(2)]), data])
}

function safe(length: number): Buffer {
  return Buffer.from([0, 0, (length >> 7) & 127, length & 127])
}

describe('the picture on a cover', () => {
  for (const version of [2, 3, 4] as const) {
    for (const encoding of [0, 1]) {
      test(`is found in a tag of version 2.${version} with texts of encoding ${encoding}`, () =>
        assert.deepEqual(Buffer.from(findCover(tagOf(version, encoding)) ?? []), picture))
    }
  }
  test('is whole in a song', () => assert.deepEqual(Buffer.from(findCover(makeSong(picture)) ?? []), picture))
  test('is told by how much of the file the tag takes', () => {
    const tag = tagOf(3)
    assert.deepEqual([tagLength(tag), tagLength(Buffer.from('RIFF......'))], [tag.length - 'sound'.length, 0])
  })
  test('is not there in sound alone, or in a tag that is cut', () => {
    assert.equal(findCover(Buffer.from('no tag at all')), undefined)
    assert.equal(findCover(tagOf(3).subarray(0, 30)), undefined)
  })
  test('of any bytes is some or none', () => {
    const tags = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.concat([Buffer.from('ID3'), bytes]))
    fc.assert(fc.property(tags, (tag) => findCover(tag) === undefined || true))
  })
})
