/** A place on a page of a file, in hundredths of its width and height. One without a size is a point. */
export interface Place {
  /** Counted from 1; a picture has one. */
  readonly page: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const standard = 'http://www.w3.org/TR/media-frags/'

/** As other programs can read it: a selector of the Web Annotation data model, with a fragment of Media Fragments (and RFC 8118). */
export function writePlace({ page, x, y, width, height }: Place): string {
  const value = `page=${page}&xywh=percent:${[x, y, width, height].map(rounded).join(',')}`
  return JSON.stringify({ type: 'FragmentSelector', conformsTo: standard, value })
}

const rounded = (number: number) => Math.round(number * 100) / 100

/** Undefined for what another program meant in its own way. */
export function findPlace(entity: string | null): Place | undefined {
  const value = fragmentIn(entity)
  const found = /^(?:page=(\d{1,6})&)?xywh=percent:([\d.]+),([\d.]+),([\d.]+),([\d.]+)$/.exec(value ?? '')
  if (found === null) return undefined
  const [page = 1, x = 0, y = 0, width = 0, height = 0] = found
    .slice(1)
    .map((text) => (text === undefined ? undefined : Number(text)))
  const isWithin = [x, y, x + width, y + height].every((one) => one >= 0 && one <= 100.01)
  return isWithin && page > 0 ? { page, x, y, width, height } : undefined
}

function fragmentIn(entity: string | null): string | undefined {
  if (entity === null || !entity.startsWith('{')) return undefined
  try {
    const { value } = JSON.parse(entity) as { value?: unknown }
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** The place between two corners, whichever they are; what is hardly larger than a point is one. */
export function placeBetween(page: number, one: readonly [number, number], other: readonly [number, number]): Place {
  const within = (number: number) => Math.min(100, Math.max(0, number))
  const [left, right] = [one[0], other[0]].map(within).sort((a, b) => a - b) as [number, number]
  const [top, bottom] = [one[1], other[1]].map(within).sort((a, b) => a - b) as [number, number]
  const isPoint = right - left < 1 && bottom - top < 1
  return isPoint
    ? { page, x: left, y: top, width: 0, height: 0 }
    : { page, x: left, y: top, width: right - left, height: bottom - top }
}
