import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { makeSilence, makeVideo } from '../support/conversion/made-media.ts'
import { attach, download } from '../support/files.ts'
import { assertCallRefused, callForFile, callWithFiles } from '../support/operation-files.ts'
import { workbenchOn } from '../support/workbench.ts'

const type = 'video/mp4'

describe('2.17 operations on videos, and their converters', () => {
  let server: TestServer
  let film: Buffer
  let clip: Buffer
  before(async () => {
    server = await startTestServer()
    if (!hasFfmpeg()) return
    film = await makeVideo({ seconds: 10 })
    clip = await makeVideo({ seconds: 2, width: 48, height: 64 })
  })
  after(() => server.stop())

  const hasFfmpeg = () => server.services.conversions.programs.find('ffmpeg') !== undefined
  const withFfmpeg = (name: string, body: () => Promise<void>) =>
    test(name, async (context) => (hasFfmpeg() ? body() : context.skip('ffmpeg is not installed')))

  async function aFile(bytes: Uint8Array, name = 'film.mp4', mimeType = type): Promise<string> {
    const { uid } = await workbenchOn(server).create('File', { 'dc:title': name })
    await attach(server, uid, bytes, { name, 'mime-type': mimeType })
    return uid
  }
  const convert = (uid: string, query: string) => download(server, `api/v1/id/${uid}/@convert?${query}`)
  const infoOf = async (bytes: Uint8Array) => JSON.parse((await convert(await aFile(bytes), 'converter=videoInfo')).text)
  const onFile = (id: string, params: object, content = film) =>
    callWithFiles(server, id, [{ name: 'film.mp4', content, type }], { params })

  withFfmpeg('a converter takes a picture of a video, or makes another format of it', async () => {
    const uid = await aFile(clip)
    const picture = await convert(uid, 'converter=videoScreenshot&position=1')
    assert.deepEqual([picture.status, (await sharp(picture.bytes).metadata()).height], [200, 64])
    for (const [query, expected] of [
      ['converter=convertToWebM&height=32', 'video/webm'],
      ['converter=convertToOgg', 'video/ogg'],
      ['converter=convertToAVI', 'video/x-msvideo'],
      ['type=image/jpeg', 'image/jpeg'],
    ] as const) {
      const { status, headers, text } = await convert(uid, query)
      assert.deepEqual([status, headers.get('content-type')], [200, expected], text.slice(0, 200))
    }
    assert.equal((await convert(uid, 'converter=convertToMP4&height=3')).status, 422)
    assert.equal((await convert(uid, 'converter=videoStoryboard')).status, 404, 'of a short one there is none')
  })

  withFfmpeg('a video that is a list of other files shows none of them', async () => {
    for (const list of [
      'ffconcat version 1.0\nfile /etc/passwd\n',
      '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n',
    ]) {
      const uid = await aFile(Buffer.from(list))
      for (const converter of ['videoScreenshot', 'convertToMP4', 'videoInfo']) {
        const { status, text } = await convert(uid, `converter=${converter}`)
        assert.deepEqual([status, /root:/.test(text)], [422, false], text)
      }
    }
  })

  withFfmpeg('what a program complains of tells nothing of where the server keeps the file', async () => {
    const uid = await aFile(Buffer.from('no video'))
    for (const converter of ['videoScreenshot', 'convertToMP4', 'videoInfo']) {
      const { status, text } = await convert(uid, `converter=${converter}`)
      assert.equal(status, 422, text)
      assert.match(text, /source\.mp4: /)
      assert.doesNotMatch(text, /quire-conversion|file:\/|\/source/)
    }
  })

  withFfmpeg('Video.Slice gives a part, and Video.SliceInParts all parts', async () => {
    for (const encode of [true, false]) {
      const slice = await onFile('Video.Slice', { startAt: '00:00:02', duration: '3', encode })
      assert.equal(slice.status, 200, slice.text)
      const { duration } = await infoOf(slice.bytes)
      assert.ok(duration >= 2 && duration <= 6, String(duration))
    }
    const late = await onFile('Video.Slice', { startAt: '00:05:00', duration: '3' })
    assertCallRefused(late, 422, /It is over after \d+(\.\d+)? seconds, before the part/)
    const parts = await onFile('Video.SliceInParts', { duration: '4' })
    const names = [...parts.text.matchAll(/filename="?([^";\r\n]+)/g)].map(([, name]) => name)
    assert.deepEqual([...new Set(names)], ['film-1.mp4', 'film-2.mp4', 'film-3.mp4'])
  })

  withFfmpeg('Video.Concat joins videos in the size of the first', async () => {
    const input = `docs:${await aFile(film)},${await aFile(clip)}`
    const joined = await callForFile(server, 'Video.Concat', { input })
    assert.equal(joined.status, 200, joined.text)
    const { duration, width } = await infoOf(joined.bytes)
    assert.deepEqual([duration >= 12 && duration < 14, width], [true, 64], String(duration))
    const sound = `docs:${await aFile(film)},${await aFile(makeSilence(1), 'a.wav', 'audio/x-wav')}`
    assertCallRefused(await callForFile(server, 'Video.Concat', { input: sound }), 422, /no pictures in the file 2 of 2/)
  })

  withFfmpeg('Video.AddWatermark lays a picture over a video', async () => {
    const red = sharp({ create: { width: 48, height: 64, channels: 3, background: 'red' } })
    const watermark = await aFile(await red.png().toBuffer(), 'mark.png', 'image/png')
    const marked = await callForFile(server, 'Video.AddWatermark', { input: await aFile(clip), params: { watermark } })
    assert.equal(marked.status, 200, marked.text)
    const shown = await convert(await aFile(marked.bytes), 'converter=videoScreenshot')
    const { channels } = await sharp(shown.bytes).extract({ left: 5, top: 5, width: 20, height: 20 }).stats()
    assert.ok((channels[0]?.mean ?? 0) > 200 && (channels[1]?.mean ?? 255) < 60)
  })

  withFfmpeg('Video.ExtractClosedCaptions gives what is said in a video', async () => {
    const captions = (params: object) => onFile('Video.ExtractClosedCaptions', params)
    const all = await captions({ outFormat: 'txt' })
    assert.deepEqual([all.status, all.text], [200, 'The zebrafish\nswims away\n'])
    assert.equal((await captions({ outFormat: 'ttxt', endAt: '5' })).text, '00:00:01,000|00:00:03,000|The zebrafish\n')
    assert.equal((await captions({ startAt: '9.8' })).status, 204)
    const silent = await onFile('Video.Slice', { duration: '2' })
    assert.equal((await onFile('Video.ExtractClosedCaptions', {}, silent.bytes)).status, 204)
  })

  withFfmpeg('what is wrong with times and places is said', async () => {
    assertCallRefused(await onFile('Video.Slice', { startAt: 'noon' }), 400, /startAt must be a time such as 90/)
    assertCallRefused(await onFile('Video.Slice', { duration: '0' }), 400, /duration must be longer than nothing/)
    assertCallRefused(await onFile('Video.SliceInParts', {}), 400, /duration must be the length of each part/)
    assertCallRefused(await onFile('Video.SliceInParts', { duration: '0.001' }), 413, /more than 500 parts/)
    assertCallRefused(await onFile('Video.ExtractClosedCaptions', { outFormat: 'pdf' }), 400, /one of ttxt, srt, txt/)
    const watermark = await aFile(clip)
    const body = { input: watermark, params: { watermark, x: 'left' } }
    assertCallRefused(await callForFile(server, 'Video.AddWatermark', body), 400, /x must be a whole number/)
    const text = await callWithFiles(server, 'Video.Slice', [{ name: 'a.txt', content: 'a' }], { params: { duration: '1' } })
    assertCallRefused(text, 400, /does not take files of the type text\/plain/)
  })
})
