import { shortFileName } from '../../base/short-file-name.ts'
import { isComplexValue, type PropertyValue } from '../../model/properties/property.ts'

/** A view that pictures are to have. */
export interface ViewTemplate {
  readonly title: string
  readonly description: string | null
  readonly tag: string | null
  /** The longest side in pixels; null for as it is. */
  readonly maxSize: number | null
}

/** Contract: blobs 10.2. */
export const usualViews: readonly ViewTemplate[] = [
  { title: 'Thumbnail', description: 'Thumbnail size', tag: null, maxSize: 100 },
  { title: 'Small', description: 'Small size', tag: null, maxSize: 560 },
  { title: 'Medium', description: 'Medium size', tag: null, maxSize: 1000 },
  { title: 'FullHD', description: 'Full HD size', tag: null, maxSize: 1920 },
  { title: 'OriginalJpeg', description: 'Original jpeg image', tag: null, maxSize: null },
]

const sizeUnlessTold = 1_200
const maxTemplates = 20

/** Those that a list of `{title, description, tag, maxsize}` names, such as a picture book has; undefined where it names none. */
export function viewTemplatesIn(list: PropertyValue | undefined): readonly ViewTemplate[] | undefined {
  const templates = (Array.isArray(list) ? list : []).flatMap(templateOf)
  return templates.length === 0 ? undefined : templates.slice(0, maxTemplates)
}

function templateOf(item: PropertyValue): readonly ViewTemplate[] {
  if (!isComplexValue(item)) return []
  const { title, description, tag, maxsize } = item
  if (typeof title !== 'string' || title.trim() === '') return []
  const size = Number(maxsize ?? sizeUnlessTold)
  const maxSize = Number.isInteger(size) && size > 0 ? size : sizeUnlessTold
  return [{ title, description: textOrNull(description), tag: textOrNull(tag), maxSize }]
}

function textOrNull(value: PropertyValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}

/** What the file of a view is called (contract: blobs 10.2). */
export function viewFileName(title: string, sourceName: string | null): string {
  const bare = (sourceName ?? '').replace(/\.[^./\\]*$/, '') || sourceName || 'file'
  return shortFileName(`${title}_${bare}.jpg`)
}
