import { defineProblem } from '../../base/problem.ts'
import type { ConversionParameters } from '../../core/conversion/converter.ts'
import { type CaptionFormat, captionFormats } from './ffmpeg/captions.ts'

export const wrongVideoParameter = defineProblem(
  'wrongVideoParameter',
  'invalid',
  (of: { parameter: string; rule: string; value: string }) =>
    `${of.parameter} must be ${of.rule}, not ${of.value === '' ? 'empty' : of.value.slice(0, 100)}.`,
)

/** Something that is made of a video, and of the files that come with it. */
export type VideoEdit =
  /** Up to the end where no length is given. */
  | { readonly kind: 'slice'; readonly start: number; readonly seconds: number | undefined; readonly isEncoded: boolean }
  | { readonly kind: 'parts'; readonly seconds: number }
  | { readonly kind: 'concat' }
  | { readonly kind: 'watermark'; readonly x: number; readonly y: number }
  | { readonly kind: 'captions'; readonly format: CaptionFormat; readonly start: number; readonly end: number }

/** @throws wrongVideoParameter */
export function parseVideoEdit(told: ConversionParameters): VideoEdit {
  const { edit: kind = '' } = told
  switch (kind) {
    case 'slice': {
      const seconds = secondsIn(told, 'duration')
      if (seconds === 0) throw wrong(told, 'duration', 'longer than nothing')
      return { kind, start: secondsIn(told, 'startAt') ?? 0, seconds, isEncoded: told['encode'] !== 'false' }
    }
    case 'parts': {
      const seconds = secondsIn(told, 'duration') ?? 0
      if (seconds === 0) throw wrong(told, 'duration', 'the length of each part, such as 10 or 00:00:10')
      return { kind, seconds }
    }
    case 'concat':
      return { kind }
    case 'watermark':
      return { kind, x: pixelsIn(told, 'x'), y: pixelsIn(told, 'y') }
    case 'captions': {
      const format = captionFormats.find((one) => one === (told['outFormat'] || 'srt'))
      if (format === undefined) throw wrong(told, 'outFormat', `one of ${captionFormats.join(', ')}`)
      const [start = 0, end = Number.POSITIVE_INFINITY] = [secondsIn(told, 'startAt'), secondsIn(told, 'endAt')]
      return { kind, format, start, end }
    }
    default:
      throw wrong(told, 'edit', 'the name of something that can be made of a video')
  }
}

function wrong(told: ConversionParameters, parameter: string, rule: string) {
  return wrongVideoParameter({ parameter, rule, value: told[parameter] ?? '' })
}

/** `90`, `1:30`, `00:01:30.5`; undefined when it is absent. */
function secondsIn(told: ConversionParameters, parameter: string): number | undefined {
  const text = (told[parameter] ?? '').trim()
  if (text === '') return undefined
  const [, hours = '0', minutes = '0', seconds = ''] = /^(?:(?:(\d{1,4}):)?(\d{1,2}):)?(\d{1,7}(?:\.\d{1,6})?)$/.exec(text) ?? []
  if (seconds === '') throw wrong(told, parameter, 'a time such as 90 or 00:01:30')
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)
}

const farthest = 20_000

function pixelsIn(told: ConversionParameters, parameter: string): number {
  const text = (told[parameter] ?? '').trim() || '0'
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0 || value > farthest)
    throw wrong(told, parameter, `a whole number of pixels from 0 to ${farthest}`)
  return value
}
