import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import sharp from 'sharp'
import { definePlugin, type Listener } from '../../src/index.ts'
import { startTestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { makeSilence, makeSong, makeVideo } from '../support/conversion/made-media.ts'
import { attach, download } from '../support/files.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const mp4 = 'video/mp4'
const heard: string[] = []
const listener: Listener = {
  name: 'converted',
  when: 'inline',
  events: ['videoConversionsDone'],
  handle: ({ document }) => void heard.push(document.id),
}
const plugin = definePlugin({ name: 'hearsVideos', listeners: [listener] })
const pictures = 4

onEachServer(
  '11 a video',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    const hasFfmpeg = () => server.services.conversions.programs.find('ffmpeg') !== undefined
    const withFfmpeg = (name: string, body: () => Promise<void>) =>
      test(name, async (context) => (hasFfmpeg() ? body() : context.skip('ffmpeg is not installed')))
    const valuesOf = (items: readonly Answered[], field: string) => items.map((item) => item[field])

    let uid: string
    let made: Answered
    let properties: Answered
    before(async () => {
      if (!hasFfmpeg()) return
      const document = await bench.create('Video', { 'dc:title': 'film' })
      uid = document.uid
      await attach(server, uid, await makeVideo({ seconds: 10 }), { name: 'film.mp4', 'mime-type': mp4 })
      made = await bench.read(uid, { properties: '*' })
      await untilIdle(server)
      properties = await bench.readProperties(uid)
    })

    withFfmpeg('has what is known of it', async () => {
      const { duration, width, height, format, frameRate, streams } = properties['vid:info']
      assert.deepEqual([Math.round(duration), width, height, frameRate], [10, 64, 48, 1])
      assert.match(format, /mp4/)
      assert.deepEqual(
        streams.map(({ type, codec }: Answered) => [type, codec]),
        [
          ['Video', 'h264'],
          ['Audio', 'aac'],
          ['Subtitle', 'mov_text'],
        ],
      )
    })

    withFfmpeg('has a storyboard of pictures in equal steps', async () => {
      const storyboard: readonly Answered[] = properties['vid:storyboard']
      const step = properties['vid:info'].duration / pictures
      assert.deepEqual(
        valuesOf(storyboard, 'timecode'),
        Array.from({ length: pictures }, (_, index) => Math.round(index * step * 100) / 100),
      )
      assert.deepEqual([storyboard[0]?.comment, storyboard[0]?.content.name], ['film.mp4 0', '0.00-seconds.jpeg'])
      const picture = await download(server, `api/v1/id/${uid}/@blob/vid:storyboard/1/content`)
      const { format, height } = await sharp(picture.bytes).metadata()
      assert.deepEqual([format, height], ['jpeg', 80])
    })

    withFfmpeg('has views, which are its thumbnail, too', async () => {
      const views: readonly Answered[] = properties['picture:views']
      assert.deepEqual(valuesOf(views, 'title'), ['Small', 'StaticPlayerView'])
      assert.deepEqual([views[0]?.width, views[0]?.height, views[0]?.filename], [64, 48, 'Small_film.jpg'])
      const thumbnail = await download(server, `api/v1/id/${uid}/@rendition/thumbnail`)
      assert.deepEqual([thumbnail.status, (await sharp(thumbnail.bytes).metadata()).width], [200, 64])
    })

    withFfmpeg('is told of once, when the last of its formats is there', async () => {
      assert.deepEqual(
        heard.filter((id) => id === uid),
        [uid],
      )
    })

    withFfmpeg('is there in other formats, each a rendition, and shown in them', async () => {
      const videos: readonly Answered[] = properties['vid:transcodedVideos']
      assert.deepEqual(
        videos.map(({ name, content, info }: Answered) => [name, content['mime-type'], content.name, info.width, info.height]),
        [
          ['MP4 480p', 'video/mp4', 'film.mp4', 640, 480],
          ['WebM 480p', 'video/webm', 'film.webm', 640, 480],
        ],
      )
      const listed = (await bench.read(uid, { 'enrichers.document': 'renditions' })).contextParameters.renditions
      const formats = listed.filter(({ name }: Answered) => name.endsWith('480p'))
      assert.deepEqual(valuesOf(formats, 'kind'), ['platform:video:conversion', 'platform:video:conversion'])
      assert.ok(!valuesOf(listed, 'name').includes('pdf'))
      const rendition = await download(server, `api/v1/id/${uid}/@rendition/WebM%20480p`)
      assert.deepEqual([rendition.status, rendition.headers.get('content-type')], [200, 'video/webm'])
      const page = await download(server, `api/v1/id/${uid}/@preview/`)
      assert.match(page.text, /<source src="[^"]*film\.mp4"[\s\S]*film\.webm/)
    })

    withFfmpeg('was changed by nobody meanwhile', async () => {
      const now = await bench.read(uid, { properties: '*' })
      for (const name of ['dc:modified', 'dc:lastContributor', 'dc:contributors', 'uid:minor_version'])
        assert.deepEqual(now.properties[name], made.properties[name], name)
      const userPart = ({ changeToken }: Answered) => changeToken.split('-')[1]
      assert.deepEqual([userPart(now), now.isCheckedOut], [userPart(made), made.isCheckedOut])
      const { entries } = (await server.as('Administrator').get(`/id/${uid}/@audit`)).body
      const changes = valuesOf(entries, 'eventId').filter((event) => event !== 'download')
      assert.deepEqual(changes.toSorted(), ['documentCreated', 'documentModified'])
    })

    withFfmpeg('loses all of it with another file, gets it anew, and more when an action asks for it', async () => {
      const other = await makeVideo({ seconds: 2, width: 48, height: 64 })
      await attach(server, uid, other, { name: 'other.mp4', 'mime-type': mp4 })
      await untilIdle(server)
      const query = `SELECT * FROM Video WHERE ecm:uuid = '${uid}'`
      const start = (action: string, parameters: object) =>
        call('Bulk.RunAction', { params: { action, query, parameters: JSON.stringify(parameters) } })
      assert.equal((await start('recomputeVideoConversion', { conversionNames: ['8K'] })).status, 400)
      const started = await start('recomputeVideoConversion', { conversionNames: ['Ogg 480p'] })
      assert.equal(started.status, 200, started.text)
      assert.equal((await start('recomputeVideoInfo', {})).status, 200)
      await untilIdle(server)
      const anew = await bench.readProperties(uid)
      assert.deepEqual([anew['vid:info'].width, anew['vid:info'].height, anew['vid:storyboard']], [48, 64, []])
      assert.deepEqual(
        anew['vid:transcodedVideos'].map(({ name, content }: Answered) => [name, content.name]),
        [
          ['MP4 480p', 'other.mp4'],
          ['WebM 480p', 'other.webm'],
          ['Ogg 480p', 'other.ogv'],
        ],
      )
      assert.equal(anew['picture:views'][0].filename, 'Small_other.jpg')
    })

    withFfmpeg('that cannot be read has black views and nothing else', async () => {
      const broken = await bench.create('Video', { 'dc:title': 'broken' })
      await attach(server, broken.uid, 'no video at all', { name: 'broken.mp4', 'mime-type': mp4 })
      await untilIdle(server)
      const found = await bench.readProperties(broken.uid)
      assert.deepEqual([found['vid:info'].duration, found['vid:info'].width, found['vid:info'].format], [0, 0, ''])
      assert.deepEqual([found['vid:storyboard'], found['vid:transcodedVideos']], [[], []])
      const view = await download(server, `api/v1/id/${broken.uid}/@blob/picture:views/0/content`)
      const { channels } = await sharp(view.bytes).stats()
      assert.deepEqual(
        channels.map(({ max }) => max),
        [0, 0, 0],
      )
    })

    describe('12 a recording', () => {
      async function aRecording(bytes: Uint8Array, name: string, type: string): Promise<Answered> {
        const recording = await bench.create('Audio', { 'dc:title': name })
        await attach(server, recording.uid, bytes, { name, 'mime-type': type })
        await untilIdle(server)
        return bench.read(recording.uid, { properties: '*' })
      }
      withFfmpeg('has its length, also of another file, and no thumbnail without a cover', async () => {
        const recording = await aRecording(makeSilence(3), 'silence.wav', 'audio/x-wav')
        assert.deepEqual([recording.properties['aud:duration'], recording.facets.includes('Thumbnail')], [3, false])
        await attach(server, recording.uid, makeSilence(5), { name: 'silence.wav', 'mime-type': 'audio/x-wav' })
        await untilIdle(server)
        assert.equal((await bench.readProperties(recording.uid))['aud:duration'], 5)
      })
      test('is shown by the picture on its cover', async () => {
        const cover = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'lime' } })
          .jpeg()
          .toBuffer()
        const recording = await aRecording(makeSong(cover), 'song.mp3', 'audio/mpeg')
        const picture = await download(server, `api/v1/id/${recording.uid}/@rendition/thumbnail`)
        const { width, height } = await sharp(picture.bytes).metadata()
        assert.deepEqual([picture.status, width, height], [200, 60, 40])
      })
      test('that is none stays as it is', async () => {
        const { properties: found, facets } = await aRecording(Buffer.from('no sound'), 'broken.mp3', 'audio/mpeg')
        assert.deepEqual([found['aud:duration'], facets.includes('Thumbnail')], [null, false])
      })
    })
  },
  { plugins: [plugin], settings: { conversionInBackground: true, videoStoryboardPictures: pictures } },
)

test('without ffmpeg a video stays as it is, and its converters say what is missing', async () => {
  const server = await startTestServer({ settings: { conversionInBackground: true, conversionPath: '/nowhere' } })
  try {
    const { uid } = await workbenchOn(server).create('Video', { 'dc:title': 'film' })
    await attach(server, uid, 'a film', { name: 'film.mp4', 'mime-type': mp4 })
    await untilIdle(server)
    const properties = await workbenchOn(server).readProperties(uid)
    assert.deepEqual([properties['picture:views'], properties['vid:transcodedVideos']], [[], []])
    const { status, text } = await download(server, `api/v1/id/${uid}/@convert?converter=convertToMP4`)
    assert.deepEqual([status, /'convertToMP4' converter is not available: it needs ffmpeg/.test(text)], [400, true], text)
    assert.equal((await download(server, `api/v1/id/${uid}/@rendition/thumbnail`)).status, 200)
  } finally {
    await server.stop()
  }
})
