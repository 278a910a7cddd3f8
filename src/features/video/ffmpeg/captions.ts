/** A text that is shown for a while. */
export interface Caption {
  /** Seconds. */
  readonly from: number
  readonly to: number
  readonly text: string
}

export const captionFormats = ['ttxt', 'srt', 'txt'] as const
export type CaptionFormat = (typeof captionFormats)[number]

const times = /^(\d+):(\d\d):(\d\d)[,.](\d{1,3})\s*-->\s*(\d+):(\d\d):(\d\d)[,.](\d{1,3})/

/** Reads SubRip: a number, the times, and lines of text up to an empty one. What is no such block is passed over. */
export function parseSubtitles(text: string): readonly Caption[] {
  return text.split(/\r?\n\s*\r?\n/).flatMap((block) => {
    const lines = block.trim().split(/\r?\n/)
    const at = lines.findIndex((line) => times.test(line))
    const [, ...parts] = times.exec(lines[at] ?? '') ?? []
    if (at === -1) return []
    const [from, to] = [secondsOf(parts.slice(0, 4)), secondsOf(parts.slice(4))]
    return [
      {
        from,
        to,
        text: lines
          .slice(at + 1)
          .map(withoutMarkup)
          .join('\n'),
      },
    ]
  })
}

function secondsOf([hours, minutes, seconds, thousandths]: readonly string[]): number {
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) + Number((thousandths ?? '').padEnd(3, '0')) / 1_000
}

/** Colours and places are for players. */
function withoutMarkup(line: string): string {
  return line.replaceAll(/<[^<>]*>|\{\\[^{}]*\}/g, '').trim()
}

/** Those that are shown within a time. */
export function captionsWithin(captions: readonly Caption[], from: number, to: number): readonly Caption[] {
  return captions.filter((caption) => caption.to > from && caption.from < to)
}

export function writeCaptions(captions: readonly Caption[], format: CaptionFormat): string {
  switch (format) {
    case 'txt':
      return captions.map(({ text }) => `${text}\n`).join('')
    case 'ttxt':
      return captions.map(({ from, to, text }) => `${clock(from)}|${clock(to)}|${text.replaceAll('\n', ' ')}\n`).join('')
    case 'srt':
      return captions.map(({ from, to, text }, index) => `${index + 1}\n${clock(from)} --> ${clock(to)}\n${text}\n\n`).join('')
  }
}

/** `01:02:03,400` */
function clock(seconds: number): string {
  const thousandths = Math.round(seconds * 1_000)
  const part = (size: number, modulus: number, digits: number) =>
    String(Math.floor(thousandths / size) % modulus).padStart(digits, '0')
  return `${part(3_600_000, 100, 2)}:${part(60_000, 60, 2)}:${part(1_000, 60, 2)},${part(1, 1_000, 3)}`
}
