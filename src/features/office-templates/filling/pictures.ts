import type { OfficeKind } from './office-kinds.ts'
import { elementsNamed, formatTree, insertBeside, type OfficeElement, upwards } from './xml-tree.ts'

/** A picture that takes the place of one in the template. */
export interface TemplatePicture {
  readonly parameter: string
  readonly mimeType: string
  readonly extension: string
  readonly bytes: Buffer
}

export const pictureExtensions: { readonly [mimeType: string]: string } = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/gif': 'gif',
}

/** A picture that a part of the file shows now. */
export interface PlacedPicture {
  readonly part: string
  readonly picture: TemplatePicture
  /** How the part calls it. */
  readonly id: string
  /** Where it lies in the file. */
  readonly path: string
}

const names = (...all: readonly string[]): ReadonlySet<string> => new Set(all)

/** Shows the pictures wherever one of the template is called as their parameter: by its name, its title or its alternative text. */
export function placePictures(
  root: OfficeElement,
  kind: OfficeKind,
  part: string,
  pictures: readonly TemplatePicture[],
): readonly PlacedPicture[] {
  return pictures.flatMap((picture, index) => {
    const placed: PlacedPicture = {
      ...{ part, picture, id: `rIdTemplate${index + 1}` },
      path: `${kind.media}/template-${index + 1}.${picture.extension}`,
    }
    const isShown = kind.name === 'docx' ? placeInWord(root, placed) : placeInOpenDocument(root, placed)
    return isShown ? [placed] : []
  })
}

/** `photo` or, as other placeholders are written, `${photo}`. */
function isCalled(written: string | undefined, parameter: string): boolean {
  const name = written?.trim()
  return name === parameter || name === `\${${parameter}}`
}

function placeInWord(root: OfficeElement, { picture: { parameter }, id }: PlacedPicture): boolean {
  const called = elementsNamed(root, names('wp:docPr')).filter(({ attributes }) =>
    ['name', 'title', 'descr'].some((name) => isCalled(attributes[name], parameter)),
  )
  const marked = elementsNamed(root, names('w:bookmarkStart'))
    .filter(({ attributes }) => attributes['w:name'] === parameter)
    .flatMap(({ parent }) => (parent === undefined ? [] : elementsNamed(parent, names('wp:docPr'))))
  const drawings = [...called, ...marked].flatMap((one) => [...upwards(one)].find(({ name }) => name === 'w:drawing') ?? [])
  const shown = drawings.flatMap((drawing) => elementsNamed(drawing, names('a:blip')))
  for (const { attributes } of shown) {
    attributes['r:embed'] = id
    delete attributes['r:link']
  }
  return shown.length > 0
}

function placeInOpenDocument(root: OfficeElement, { picture: { parameter }, path }: PlacedPicture): boolean {
  const frames = elementsNamed(root, names('draw:frame')).filter(
    (frame) =>
      isCalled(frame.attributes['draw:name'], parameter) ||
      elementsNamed(frame, names('svg:title', 'svg:desc')).some((said) => isCalled(textIn(said), parameter)),
  )
  const shown = frames.flatMap((frame) => elementsNamed(frame, names('draw:image')))
  for (const { attributes } of shown) {
    attributes['xlink:href'] = path
    delete attributes['draw:mime-type']
    delete attributes['loext:mime-type']
  }
  return shown.length > 0
}

function textIn({ children }: OfficeElement): string {
  return children.map((child) => (child.kind === 'text' ? child.text : '')).join('')
}

/** The list of what a part refers to, with the pictures. */
export function withRelations(relations: OfficeElement, placed: readonly PlacedPicture[]): string {
  for (const { id, path } of placed) {
    add(relations, 'Relationship', {
      Id: id,
      Type: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/image',
      // As seen from the folder of the part.
      Target: path.replace(/^word\//, ''),
    })
  }
  return formatTree(relations)
}

/** The list of the types of all parts, with those of the pictures. */
export function withContentTypes(types: OfficeElement, placed: readonly PlacedPicture[]): string {
  const known = new Set(elementsNamed(types, names('Default')).map(({ attributes }) => attributes['Extension']?.toLowerCase()))
  for (const { picture } of placed) {
    if (known.has(picture.extension)) continue
    known.add(picture.extension)
    const [first] = types.children
    const added = { kind: 'element', name: 'Default', children: [], parent: types } as const
    const element: OfficeElement = {
      ...added,
      children: [],
      attributes: { Extension: picture.extension, ContentType: picture.mimeType },
    }
    if (first === undefined) types.children.push(element)
    else insertBeside(first, 'before', element)
  }
  return formatTree(types)
}

/** The list of all files of an OpenDocument package, with the pictures. */
export function withManifestEntries(manifest: OfficeElement, placed: readonly PlacedPicture[]): string {
  for (const [path, { picture }] of new Map(placed.map((one) => [one.path, one])))
    add(manifest, 'manifest:file-entry', { 'manifest:full-path': path, 'manifest:media-type': picture.mimeType })
  return formatTree(manifest)
}

function add(parent: OfficeElement, name: string, attributes: OfficeElement['attributes']): void {
  parent.children.push({ kind: 'element', name, attributes, children: [], parent })
}
