import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json } from '../../../base/json.ts'
import { type ConversionJob, ConversionRefusal, type StagedFile } from '../../../core/conversion/converter.ts'
import { type VideoInfo, videoInfoOf } from './video-facts.ts'

/**
 * Formats that are what they hold. Playlists and lists of files are not among them: one that calls itself a video would have others read
 * that lie on this machine.
 */
const formats = [
  ...[
    'mov',
    'mp4',
    'm4a',
    '3gp',
    '3g2',
    'mj2',
    'matroska',
    'webm',
    'avi',
    'flv',
    'asf',
    'asf_o',
    'ogg',
    'mpeg',
    'mpegts',
    'mpegvideo',
  ],
  ...['gxf', 'mxf', 'mxf_opatom', 'dv', 'rm', 'nut', 'ivf', 'm4v', 'h264', 'hevc', 'vc1', 'mjpeg', 'swf', 'nsv', 'wtv', 'dvr-ms'],
  ...[
    'wav',
    'mp3',
    'aac',
    'flac',
    'aiff',
    'ac3',
    'eac3',
    'amr',
    'au',
    'caf',
    'w64',
    'wv',
    'ape',
    'tta',
    'dsf',
    'gif',
    'png_pipe',
  ],
]

const reading = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', formats.join(',')]

/** How ffmpeg is told to read a file. */
export function input({ path }: Pick<StagedFile, 'path'>, before: readonly string[] = []): readonly string[] {
  return [...reading, ...before, '-i', `file:${path}`]
}

type Running = Pick<ConversionJob, 'run' | 'folder'>

/** Has ffmpeg make a file in the folder of the conversion. @throws ConversionRefusal where it makes none */
export async function ffmpeg({ run, folder }: Running, args: readonly string[], name: string): Promise<string> {
  const path = join(folder, name)
  await run('ffmpeg', ['-hide_banner', '-nostdin', '-loglevel', 'error', '-y', ...args, `file:${path}`])
  const made = await stat(path).catch(() => undefined)
  if (made === undefined || made.size === 0) throw new ConversionRefusal('There is nothing in it at that time.')
  return path
}

/** What ffprobe says of a file. @throws ConversionRefusal when it cannot be read */
export async function probe({ run }: Pick<Running, 'run'>, file: Pick<StagedFile, 'path'>): Promise<VideoInfo> {
  const told = ['-v', 'error', ...reading, '-print_format', 'json', '-show_format', '-show_streams']
  const { stdout } = await run('ffprobe', [...told, `file:${file.path}`])
  return videoInfoOf(JSON.parse(stdout.toString()) as Json)
}

const containers: ReadonlyMap<string, string> = new Map([
  ['video/mp4', 'mp4'],
  ['video/quicktime', 'mov'],
  ['video/webm', 'webm'],
  ['video/ogg', 'ogv'],
  ['video/x-msvideo', 'avi'],
  ['video/x-matroska', 'mkv'],
  ['video/mpeg', 'mpg'],
  ['video/x-flv', 'flv'],
  ['application/mxf', 'mxf'],
])

/** In which format something of a video is made: its own where that can be written. */
export function containerFor({ mimeType }: Pick<StagedFile, 'mimeType'>): {
  readonly extension: string
  readonly mimeType: string
} {
  const extension = containers.get(mimeType)
  return extension === undefined ? { extension: 'mp4', mimeType: 'video/mp4' } : { extension, mimeType }
}

/** What is in a format that browsers or old players know (contract: blobs 6.7). */
const encoders: { readonly [extension: string]: readonly string[] } = {
  mp4: ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-movflags', '+faststart'],
  webm: ['-c:v', 'libvpx', '-b:v', '1M', '-deadline', 'good', '-cpu-used', '4', '-c:a', 'libvorbis'],
  ogv: ['-c:v', 'libtheora', '-q:v', '7', '-c:a', 'libvorbis'],
  avi: ['-c:v', 'mpeg4', '-q:v', '4', '-c:a', 'ac3'],
}

/** How the streams are encoded; as ffmpeg does by itself for other formats. */
export function encodersFor(extension: string): readonly string[] {
  return encoders[extension] ?? (extension === 'mov' || extension === 'mkv' ? (encoders['mp4'] ?? []) : [])
}
