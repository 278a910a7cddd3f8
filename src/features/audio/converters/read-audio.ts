import { open } from 'node:fs/promises'
import sharp from 'sharp'
import { type ConversionJob, ConversionRefusal, type ConverterWork, type MadeFile } from '../../../core/conversion/converter.ts'
import { findCover, tagLength } from '../id3-picture.ts'

sharp.concurrency(1)
sharp.cache(false)

/** What a recording tells of itself: with the option `cover` the picture on its cover, else how long it is, as JSON. */
const readAudio: ConverterWork = (job) => (job.options['cover'] === true ? cover(job) : facts(job))

export default readAudio

async function facts({ run, source }: ConversionJob): Promise<readonly MadeFile[]> {
  // Of formats that are what they hold: no playlist that leads elsewhere.
  const formats = 'mp3,wav,flac,ogg,aac,mov,mp4,m4a,3gp,3g2,mj2,aiff,matroska,webm,asf,amr,ac3,au,caf,w64,wv,ape'
  const safe = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', formats]
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    ...safe,
    '-print_format',
    'json',
    '-show_format',
    `file:${source.path}`,
  ])
  const { format } = JSON.parse(stdout.toString()) as { readonly format?: { readonly duration?: string } }
  const duration = Number(format?.duration ?? 0)
  if (!(duration > 0)) throw new ConversionRefusal('There is nothing to hear in it.')
  return [{ bytes: JSON.stringify({ duration }), mimeType: 'application/json' }]
}

const largestSide = 1_000
// More than any picture on a cover has.
const largestTag = 32 * 1024 ** 2

async function cover({ source, limits }: ConversionJob): Promise<readonly MadeFile[]> {
  const picture = findCover(await tagOf(source.path))
  if (picture === undefined) return []
  const bytes = await sharp(picture, { limitInputPixels: limits.pixels })
    .autoOrient()
    .resize({ width: largestSide, height: largestSide, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .jpeg()
    .toBuffer()
    .catch((cause: Error) => {
      throw new ConversionRefusal('The picture on its cover is damaged.', { cause })
    })
  return [{ bytes, mimeType: 'image/jpeg' }]
}

async function tagOf(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer: head } = await file.read(Buffer.alloc(10), 0, 10, 0)
    const length = Math.min(tagLength(head), largestTag)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
