import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const captions = '1\n00:00:01,000 --> 00:00:03,000\nThe zebrafish\n\n2\n00:00:08,000 --> 00:00:09,500\nswims away\n'

export interface MadeVideo {
  readonly seconds: number
  readonly width?: number
  readonly height?: number
}

/** A small video with a tone and subtitles, made by ffmpeg. */
export async function makeVideo({ seconds, width = 64, height = 48 }: MadeVideo): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-video-'))
  try {
    const [subtitles, made] = [join(folder, 'a.srt'), join(folder, 'a.mp4')]
    await writeFile(subtitles, captions)
    const sources = [
      ...['-f', 'lavfi', '-i', `testsrc=d=${seconds}:s=${width}x${height}:r=1`],
      ...['-f', 'lavfi', '-i', `sine=d=${seconds}:r=8000`, '-i', subtitles],
    ]
    const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-c:s', 'mov_text']
    await run('ffmpeg', [
      '-loglevel',
      'error',
      ...sources,
      ...['-map', '0', '-map', '1', '-map', '2'],
      ...codecs,
      '-t',
      String(seconds),
      made,
    ])
    return await readFile(made)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Silence for so long, in one of the oldest formats. */
export function makeSilence(seconds: number): Buffer {
  const rate = 8_000
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + rate * seconds, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(rate * seconds, 40)
  return Buffer.concat([header, Buffer.alloc(rate * seconds, 128)])
}

/** An MP3 file with a picture on its cover, and hardly anything to hear. */
export function makeSong(cover: Uint8Array): Buffer {
  const picture = Buffer.concat([Buffer.from('\0image/jpeg\0\x03\0', 'latin1'), cover])
  const frame = Buffer.concat([Buffer.from('APIC'), bigEndian(picture.length), Buffer.alloc(2), picture])
  const size = frame.length
  const safe = Buffer.from([(size >> 21) & 127, (size >> 14) & 127, (size >> 7) & 127, size & 127])
  const tag = Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), safe, frame])
  // 128 kbit/s at 44.1 kHz: 417 bytes for 26 ms.
  const silence = Buffer.alloc(417)
  silence.set([0xff, 0xfb, 0x90, 0x00])
  return Buffer.concat([tag, ...Array.from({ length: 100 }, () => silence)])
}

function bigEndian(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}
