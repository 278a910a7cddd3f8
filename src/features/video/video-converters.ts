import { type Converter, type ConverterWay, converterModule, type WayOptions } from '../../core/conversion/converter.ts'

/** What videos are. */
export const videoTypes = ['video/*', 'application/gxf', 'application/mxf']

// Ten minutes, as long as other conversions have two.
const patience = 5

function work(name: string, options: WayOptions = {}): readonly ConverterWay[] {
  return [{ module: converterModule(import.meta.url, name), options, needs: ['ffmpeg', 'ffprobe'], patience }]
}

function transcoding(name: string, mimeType: string, extension: string): Converter {
  return { name, sources: videoTypes, destinations: [mimeType], ways: work('transcode-video', { extension }) }
}

/** Contract: blobs 6.7. Those that are asked for by name alone make what is no type of file. */
export const videoConverters: readonly Converter[] = [
  {
    name: 'videoScreenshot',
    sources: videoTypes,
    destinations: ['image/jpeg'],
    ways: work('video-frames', { deed: 'screenshot' }),
  },
  {
    name: 'videoStoryboard',
    sources: videoTypes,
    destinations: ['application/x-video-storyboard'],
    ways: work('video-frames', { deed: 'storyboard' }),
  },
  {
    name: 'videoViews',
    sources: videoTypes,
    destinations: ['application/x-video-views'],
    ways: work('video-frames', { deed: 'views' }),
  },
  { name: 'videoInfo', sources: videoTypes, destinations: ['application/x-video-info'], ways: work('video-info') },
  { name: 'editVideo', sources: videoTypes, destinations: ['application/x-edited-video'], ways: work('edit-video') },
  transcoding('convertToMP4', 'video/mp4', 'mp4'),
  transcoding('convertToWebM', 'video/webm', 'webm'),
  transcoding('convertToOgg', 'video/ogg', 'ogv'),
  transcoding('convertToAVI', 'video/x-msvideo', 'avi'),
]
