import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { Problem } from '../../../base/problem.ts'
import { type ConversionJob, ConversionRefusal, type ConverterWork, type MadeFile } from '../../../core/conversion/converter.ts'
import { captionsWithin, parseSubtitles, writeCaptions } from '../ffmpeg/captions.ts'
import { containerFor, encodersFor, ffmpeg, input, probe } from '../ffmpeg/ffmpeg-run.ts'
import { parseVideoEdit, type VideoEdit } from '../video-edit.ts'

/** Parts of a video, several as one, one with a picture on it, what is said in it. What is made is told by the parameters. */
const editVideo: ConverterWork = (job) => {
  const edit = editIn(job)
  switch (edit.kind) {
    case 'slice':
      return slice(job, edit)
    case 'parts':
      return cut(job, edit)
    case 'concat':
      return joined(job)
    case 'watermark':
      return stamp(job, edit)
    case 'captions':
      return captions(job, edit)
  }
}

export default editVideo

type EditOf<Kind extends VideoEdit['kind']> = Extract<VideoEdit, { readonly kind: Kind }>

/** @throws ConversionRefusal */
function editIn({ parameters }: ConversionJob): VideoEdit {
  try {
    return parseVideoEdit(parameters)
  } catch (error) {
    throw error instanceof Problem ? new ConversionRefusal(error.message, { cause: error }) : error
  }
}

// Pictures and sound, and nothing that a player does not play.
const streams = ['-map', '0:v:0?', '-map', '0:a?']
const asTheyAre = ['-c', 'copy']

async function slice(job: ConversionJob, { start, seconds, isEncoded }: EditOf<'slice'>): Promise<readonly MadeFile[]> {
  const { extension, mimeType } = containerFor(job.source)
  const { duration } = await probe(job, job.source)
  // ffmpeg makes a file of it, which no player plays.
  if (duration > 0 && start >= duration)
    throw new ConversionRefusal(`It is over after ${duration} seconds, before the part that was asked for.`)
  const length = seconds === undefined ? [] : ['-t', String(seconds)]
  const args = [
    ...input(job.source, ['-ss', String(start)]),
    ...[...length, ...streams],
    ...(isEncoded ? encodersFor(extension) : asTheyAre),
  ]
  return [{ path: await ffmpeg(job, args, `slice.${extension}`), mimeType }]
}

// Each becomes a file of its own.
const maxParts = 500

async function cut(job: ConversionJob, { seconds }: EditOf<'parts'>): Promise<readonly MadeFile[]> {
  const { extension, mimeType } = containerFor(job.source)
  const { duration } = await probe(job, job.source)
  if (duration / seconds > maxParts)
    throw new ConversionRefusal(`It would be cut into more than ${maxParts} parts.`, { isTooLarge: true })
  const cutting = ['-f', 'segment', '-segment_time', String(seconds), '-reset_timestamps', '1', '-segment_start_number', '1']
  // A part begins where a picture is whole: it is made to be whole there.
  const whole = ['-force_key_frames', `expr:gte(t,n_forced*${seconds})`]
  const args = [...input(job.source), ...streams, ...encodersFor(extension).filter(isNoPlacing), ...whole, ...cutting]
  await job.run('ffmpeg', [
    '-hide_banner',
    '-nostdin',
    '-loglevel',
    'error',
    '-y',
    ...args,
    join(job.folder, `part-%04d.${extension}`),
  ])
  const names = (await readdir(job.folder)).filter((name) => /^part-\d+\./.test(name)).toSorted()
  return names.map((name) => ({ path: join(job.folder, name), mimeType }))
}

/** Segments are written one after the other, none of them twice. */
function isNoPlacing(option: string): boolean {
  return option !== '-movflags' && option !== '+faststart'
}

async function joined(job: ConversionJob): Promise<readonly MadeFile[]> {
  const files = [job.source, ...job.attached]
  const { extension, mimeType } = containerFor(job.source)
  const infos = []
  for (const file of files) infos.push(await probe(job, file))
  const { width = 0, height = 0 } = infos[0] ?? {}
  const still = infos.findIndex((info) => info.width === 0)
  if (still >= 0) throw new ConversionRefusal(`There are no pictures in the file ${still + 1} of ${files.length}.`)
  const hasSound = infos.every((info) => info.streams.some(({ type }) => type === 'Audio'))
  // Each in the size of the first, with borders where it has other proportions.
  const fitted = files.map(
    (_, index) =>
      `[${index}:v:0]scale=${even(width)}:${even(height)}:force_original_aspect_ratio=decrease,pad=${even(width)}:${even(height)}:-1:-1,setsar=1,fps=25[v${index}]`,
  )
  const inputs = files.map((_, index) => (hasSound ? `[v${index}][${index}:a:0]` : `[v${index}]`)).join('')
  const filter = `${fitted.join(';')};${inputs}concat=n=${files.length}:v=1:a=${hasSound ? 1 : 0}[v]${hasSound ? '[a]' : ''}`
  const chosen = ['-map', '[v]', ...(hasSound ? ['-map', '[a]'] : [])]
  const args = [...files.flatMap((file) => input(file)), '-filter_complex', filter, ...chosen, ...encodersFor(extension)]
  return [{ path: await ffmpeg(job, args, `joined.${extension}`), mimeType }]
}

function even(side: number): number {
  return Math.max(2, side - (side % 2))
}

async function stamp(job: ConversionJob, { x, y }: EditOf<'watermark'>): Promise<readonly MadeFile[]> {
  const [picture] = job.attached
  if (picture === undefined) throw new ConversionRefusal('There is no picture with it.')
  const { extension, mimeType } = containerFor(job.source)
  const mark = { path: join(job.folder, 'mark.png') }
  // Read by what is made for pictures; what ffmpeg is handed is ours.
  await sharp(picture.path, { limitInputPixels: job.limits.pixels })
    .png()
    .toFile(mark.path)
    .catch((cause: Error) => {
      throw new ConversionRefusal('The picture is damaged, or none that can be read here.', { cause })
    })
  const filter = `[0:v:0][1:v:0]overlay=${x}:${y},format=yuv420p[v]`
  const chosen = ['-map', '[v]', '-map', '0:a?']
  const args = [...input(job.source), ...input(mark), '-filter_complex', filter, ...chosen, ...encodersFor(extension)]
  return [{ path: await ffmpeg(job, args, `stamped.${extension}`), mimeType }]
}

async function captions(job: ConversionJob, { format, start, end }: EditOf<'captions'>): Promise<readonly MadeFile[]> {
  const subtitles = (await subtitleStream(job)) ?? (await captionsInPictures(job))
  const shown = captionsWithin(parseSubtitles(subtitles ?? ''), start, end)
  if (shown.length === 0) return []
  const bytes = writeCaptions(shown, format)
  return [{ bytes, mimeType: format === 'srt' ? 'application/x-subrip' : 'text/plain', encoding: 'UTF-8' }]
}

/** Texts that are a stream of their own. */
async function subtitleStream(job: ConversionJob): Promise<string | undefined> {
  const info = await probe(job, job.source)
  if (!info.streams.some(({ type }) => type === 'Subtitle')) return undefined
  return textOf(job, [...input(job.source), '-map', '0:s:0', '-f', 'srt'])
}

/** Texts that are hidden in the pictures, as television has them. */
async function captionsInPictures(job: ConversionJob): Promise<string | undefined> {
  const { format } = await probe(job, job.source)
  const [demuxer = ''] = format.split(',')
  // The filter opens the file by itself; being told what it is, it takes it for no list of other files.
  const movie = `movie=filename='${job.source.path}':format_name=${demuxer}[out0+subcc]`
  return textOf(job, ['-f', 'lavfi', '-i', movie, '-map', '0:s:0', '-f', 'srt'])
}

async function textOf(job: ConversionJob, args: readonly string[]): Promise<string | undefined> {
  try {
    return await readFile(await ffmpeg(job, args, 'captions.srt'), 'utf8')
  } catch (error) {
    if (error instanceof ConversionRefusal && !error.isTooLarge) return undefined
    throw error
  }
}
