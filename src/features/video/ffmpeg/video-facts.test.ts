import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Json } from '../../../base/json.ts'
import { noVideoInfo, secondsIn, storyboardName, storyboardTimes, videoInfoOf } from './video-facts.ts'

const stream = { index: 0, codec_type: 'video', codec_name: 'h264', width: 640, height: 360, avg_frame_rate: '30000/1001' }

describe('what ffprobe prints', () => {
  test('is told in the words of the contract', () => {
    const sound = { index: 1, codec_type: 'audio', codec_name: 'aac', bit_rate: '128000', sample_rate: '44100' }
    assert.deepEqual(videoInfoOf({ streams: [stream, sound], format: { format_name: 'mov,mp4', duration: '12.5' } }), {
      duration: 12.5,
      width: 640,
      height: 360,
      format: 'mov,mp4',
      frameRate: 29.97,
      streams: [
        { streamInfo: 'Stream #0:0: Video: h264, 640x360', type: 'Video', codec: 'h264', bitRate: 0 },
        { streamInfo: 'Stream #0:1: Audio: aac, 44100 Hz, 128 kb/s', type: 'Audio', codec: 'aac', bitRate: 128 },
      ],
    })
  })

  for (const [how, turned] of [
    ['a tag', { tags: { rotate: '90' } }],
    ['its side data', { side_data_list: [{ rotation: -270 }] }],
  ] as const) {
    test(`is as wide as it was high where ${how} turns it`, () => {
      const { width, height } = videoInfoOf({ streams: [{ ...stream, ...turned }], format: {} })
      assert.deepEqual([width, height], [360, 640])
    })
  }

  test('is not as large as the picture on a cover', () => {
    const cover = { ...stream, disposition: { attached_pic: 1 } }
    assert.equal(videoInfoOf({ streams: [cover], format: { duration: '3' } }).width, 0)
  })

  test('is nothing where it says nothing, whatever it is', () => {
    assert.deepEqual(videoInfoOf({}), noVideoInfo)
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const { width, duration } = videoInfoOf({ streams: json as Json, format: json as Json })
        assert.ok(Number.isFinite(width) && Number.isFinite(duration))
      }),
    )
  })
})

test('pictures of a storyboard know when they were taken', () => {
  const times = storyboardTimes(12.34, 9)
  assert.deepEqual(times.slice(0, 3), [0, 1.37, 2.74])
  assert.deepEqual(times.map(storyboardName).map(secondsIn), times)
})
