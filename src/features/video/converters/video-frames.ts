import { stat } from 'node:fs/promises'
import sharp from 'sharp'
import { type ConversionJob, ConversionRefusal, type ConverterWork, type MadeFile } from '../../../core/conversion/converter.ts'
import { ffmpeg, input, probe } from '../ffmpeg/ffmpeg-run.ts'
import { storyboardName, storyboardTimes, type VideoInfo } from '../ffmpeg/video-facts.ts'

sharp.concurrency(1)
sharp.cache(false)

/** Pictures of a video at some times. Which is told by the option `deed`. */
const videoFrames: ConverterWork = (job) => {
  switch (job.options['deed']) {
    case 'storyboard':
      return storyboard(job)
    case 'views':
      return views(job)
    default:
      return screenshot(job)
  }
}

export default videoFrames

async function screenshot(job: ConversionJob): Promise<readonly MadeFile[]> {
  const path = await frameAt(job, numberIn(job, 'position', 0), 'frame.jpg')
  return [{ path, mimeType: 'image/jpeg' }]
}

/** The picture at a time; of one behind the end the first. */
async function frameAt(job: ConversionJob, seconds: number, name: string, filters: readonly string[] = []): Promise<string> {
  const taking = (from: number) => [
    ...input(job.source, ['-ss', String(from)]),
    ...['-map', '0:v:0', '-frames:v', '1', ...filters, '-c:v', 'mjpeg', '-q:v', '3', '-f', 'mjpeg'],
  ]
  try {
    return await ffmpeg(job, taking(seconds), name)
  } catch (error) {
    if (seconds === 0 || !(error instanceof ConversionRefusal)) throw error
    return ffmpeg(job, taking(0), name)
  }
}

const shortSide = 80
const maxPictures = 100

/** Pictures in equal steps; none of a video that is shorter than the parameter `minDuration`, or where that is negative. */
async function storyboard(job: ConversionJob): Promise<readonly MadeFile[]> {
  const { duration, width, height } = await probe(job, job.source)
  const least = numberIn(job, 'minDuration', 10)
  if (least < 0 || duration < least) return []
  const scale = width > 0 && height > width ? `scale=${shortSide}:-2` : `scale=-2:${shortSide}`
  const count = Math.min(maxPictures, Math.max(1, Math.round(numberIn(job, 'count', 9))))
  const pictures: MadeFile[] = []
  for (const seconds of storyboardTimes(duration, count)) {
    const name = storyboardName(seconds)
    pictures.push({ path: await frameAt(job, seconds, name, ['-vf', scale]), name, mimeType: 'image/jpeg' })
  }
  return pictures
}

/** By their longest sides (contract: blobs 11.1). */
const viewSides = { Small: 350, StaticPlayerView: 1_200 } as const

/** What a view is, in the order of the files that follow. */
export interface VideoViewReport {
  readonly title: string
  readonly width: number
  readonly height: number
}

/** First a JSON file that says what they are, then the views: black ones of a video that cannot be read. */
async function views(job: ConversionJob): Promise<readonly MadeFile[]> {
  const picture = await previewOf(job)
  const reports: VideoViewReport[] = []
  const files: MadeFile[] = []
  for (const [title, side] of Object.entries(viewSides)) {
    const { data, info } = await picture
      .clone()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .jpeg()
      .toBuffer({ resolveWithObject: true })
    reports.push({ title, width: info.width, height: info.height })
    files.push({ bytes: data, mimeType: 'image/jpeg' })
  }
  return [{ bytes: JSON.stringify(reports), mimeType: 'application/json' }, ...files]
}

async function previewOf(job: ConversionJob) {
  let info: VideoInfo | undefined
  try {
    info = await probe(job, job.source)
    const share = Math.min(100, Math.max(0, numberIn(job, 'percent', 10))) / 100
    const path = await frameAt(job, info.duration * share, 'preview.jpg')
    if ((await stat(path)).size > 0) return sharp(path, { limitInputPixels: job.limits.pixels })
  } catch (error) {
    if (!(error instanceof ConversionRefusal)) throw error
  }
  return sharp({ create: { width: info?.width || 350, height: info?.height || 200, channels: 3, background: 'black' } })
}

function numberIn({ parameters }: ConversionJob, name: string, usual: number): number {
  const text = parameters[name] ?? ''
  const value = text.trim() === '' ? usual : Number(text)
  if (!Number.isFinite(value)) throw new ConversionRefusal(`The parameter ${name} is ${text.slice(0, 40)}, which is no number.`)
  return name === 'minDuration' ? value : Math.max(0, value)
}
