import { join } from 'node:path'
import type { Sharp } from 'sharp'
import { type ConversionJob, ConversionRefusal } from '../../../core/conversion/converter.ts'
import { postscriptTypes, printPostscript } from './postscript.ts'
import { type Raster, rasters } from './rasters.ts'
import { cameraPicture, rawFormat } from './raw-photo.ts'
import { shownPicture } from './shown-picture.ts'

/** A picture as `shownPicture` gives it, which a program may have to draw first, or a camera has drawn. @throws ConversionRefusal */
export async function drawnPicture(job: Pick<ConversionJob, 'source' | 'limits' | 'folder' | 'run' | 'has'>): Promise<Sharp> {
  const { source, limits } = job
  if (postscriptTypes.includes(source.mimeType) && job.has('gs')) {
    const path = await printPostscript(job, { pages: 1, isCropped: true })
    return shownPicture({ source: { ...source, path, mimeType: 'application/pdf' }, limits })
  }
  if (rawFormat(source.mimeType) !== undefined) {
    const path = await cameraPicture(job)
    return shownPicture(path === undefined ? job : { source: { ...source, path, mimeType: 'image/jpeg' }, limits })
  }
  const raster = rasters.get(source.mimeType)
  if (raster === undefined || !job.has('ffmpeg')) return shownPicture(job)
  return shownPicture({ source: { ...source, path: await decoded(job, raster), mimeType: 'image/png' }, limits })
}

/** What a picture is called of which another is shown. */
export function drawnFormat(mimeType: string): string | undefined {
  return postscriptTypes.includes(mimeType) ? 'PS' : (rasters.get(mimeType)?.format ?? rawFormat(mimeType))
}

async function decoded(
  { run, source, limits, folder }: Pick<ConversionJob, 'run' | 'source' | 'limits' | 'folder'>,
  { demuxer }: Raster,
): Promise<string> {
  const path = join(folder, 'decoded.png')
  const reading = ['-protocol_whitelist', 'file', '-max_pixels', `${limits.pixels}`, '-f', demuxer, '-i', `file:${source.path}`]
  const args = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-y', ...reading, '-frames:v', '1', `file:${path}`]
  // The last that ffmpeg says of a picture is about itself.
  await run('ffmpeg', args).catch((cause: unknown) => {
    throw new ConversionRefusal('It is damaged, or no picture that can be read here.', { cause })
  })
  return path
}
