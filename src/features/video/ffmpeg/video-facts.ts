import { isJsonObject, type Json } from '../../../base/json.ts'

/** What is known of a video, as `vid:info` has it. */
export interface VideoInfo {
  /** Seconds. */
  readonly duration: number
  /** As it is shown, which may be turned. */
  readonly width: number
  readonly height: number
  readonly format: string
  readonly frameRate: number
  readonly streams: readonly VideoStream[]
}

export interface VideoStream {
  readonly streamInfo: string
  /** `Video`, `Audio`, `Subtitle`. */
  readonly type: string
  readonly codec: string
  /** Thousands of bits in a second. */
  readonly bitRate: number
}

/** Of a file that nothing is known of. */
export const noVideoInfo: VideoInfo = { duration: 0, width: 0, height: 0, format: '', frameRate: 0, streams: [] }

type Members = { readonly [name: string]: Json }

// Of one file; what has more was made to.
const maxStreams = 100

/** What ffprobe prints about a file (`-show_format -show_streams`, as JSON), in the words of the contract (blobs 11.1). */
export function videoInfoOf(printed: Json): VideoInfo {
  const { format: container = null, streams: listed = null } = membersOf(printed)
  const streams = (Array.isArray(listed) ? listed : []).slice(0, maxStreams).map(membersOf)
  const picture = streams.find((stream) => textOf(stream['codec_type']) === 'video' && !isCover(stream))
  const about = membersOf(container)
  const size = { width: numberOf(picture?.['width']), height: numberOf(picture?.['height']) }
  return {
    duration: numberOf(about['duration']) || numberOf(picture?.['duration']),
    ...(isTurned(picture) ? { width: size.height, height: size.width } : size),
    format: textOf(about['format_name']),
    frameRate: rateOf(picture?.['avg_frame_rate']) || rateOf(picture?.['r_frame_rate']),
    streams: streams.map(streamOf),
  }
}

/** The picture on the cover of a recording is no moving one. */
function isCover(stream: Members): boolean {
  return membersOf(stream['disposition'] ?? null)['attached_pic'] === 1
}

function isTurned(stream: Members = {}): boolean {
  const sides = Array.isArray(stream['side_data_list']) ? stream['side_data_list'].map(membersOf) : []
  const told = [membersOf(stream['tags'] ?? null)['rotate'], ...sides.map(({ rotation }) => rotation)]
  return told.some((angle) => angle !== undefined && Math.abs(numberOf(angle)) % 180 === 90)
}

function streamOf(stream: Members): VideoStream {
  const type = capitalised(textOf(stream['codec_type']) || 'unknown')
  const codec = textOf(stream['codec_name'])
  const bitRate = numberOf(stream['bit_rate']) / 1_000
  const [width, height] = [numberOf(stream['width']), numberOf(stream['height'])]
  const details = [
    codec,
    textOf(stream['pix_fmt']),
    width > 0 ? `${width}x${height}` : '',
    numberOf(stream['sample_rate']) > 0 ? `${numberOf(stream['sample_rate'])} Hz` : '',
    textOf(stream['channel_layout']),
    bitRate > 0 ? `${Math.round(bitRate)} kb/s` : '',
  ]
  const streamInfo = `Stream #0:${numberOf(stream['index'])}: ${type}: ${details.filter((text) => text !== '').join(', ')}`
  return { streamInfo, type, codec, bitRate }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function membersOf(json: Json | undefined): Members {
  return isJsonObject(json ?? null) ? (json as Members) : {}
}

function textOf(json: Json | undefined): string {
  return typeof json === 'string' ? json : ''
}

/** Numbers come as such and as texts; what is none is 0. */
function numberOf(json: Json | undefined): number {
  const number = typeof json === 'number' || typeof json === 'string' ? Number(json) : 0
  return Number.isFinite(number) ? number : 0
}

/** `30000/1001`. */
function rateOf(json: Json | undefined): number {
  const [over = 0, under = 0] = textOf(json).split('/').map(Number)
  const rate = under > 0 ? over / under : 0
  return Number.isFinite(rate) ? Math.round(rate * 1_000) / 1_000 : 0
}

/** When the pictures of a storyboard are taken: from the beginning on, in equal steps, to a hundredth of a second. */
export function storyboardTimes(duration: number, pictures: number): readonly number[] {
  return Array.from({ length: pictures }, (_, index) => Math.round(((index * duration) / pictures) * 100) / 100)
}

const ofPicture = /^(\d+\.\d\d)-seconds\.jpeg$/

export function storyboardName(seconds: number): string {
  return `${seconds.toFixed(2)}-seconds.jpeg`
}

/** When a picture of a storyboard was taken. */
export function secondsIn(name: string | null): number {
  return Number(ofPicture.exec(name ?? '')?.[1] ?? 0)
}
