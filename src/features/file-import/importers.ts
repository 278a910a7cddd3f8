import { findNoteContent } from '../../core/blobs/note-text.ts'
import type { FileToImport, Importer } from '../../core/file-imports/importer.ts'
import type { Properties } from '../../model/properties/property.ts'
import type { ExistingBy } from './existing-children.ts'
import { importAs } from './import-as.ts'

interface Definition {
  readonly name: string
  readonly order: number
  readonly mimeTypes: readonly string[]
  readonly altersFile?: true
  /** Of the documents that it makes. */
  readonly type: string
  readonly existing: ExistingBy
  /** What the document holds of the file; nothing where it can hold none of it. */
  readonly contentOf: (file: FileToImport) => Promise<Properties | undefined>
}

function defineImporter({ type, existing, contentOf, ...about }: Definition): Importer {
  return {
    ...about,
    async prepare(file) {
      const content = await contentOf(file)
      return content && ((session, target) => importAs(session, target, { type, content, existing }))
    },
  }
}

async function asFile(file: FileToImport): Promise<Properties> {
  return { 'file:content': await file.store() }
}

const pictureTypes = [
  'image/(jpeg|gif|png|tiff|bmp|x-ms-bmp)',
  'image/(x-canon-cr2|CR2|x-canon-crw|x-nikon-nef|NEF|x-adobe-dng|x-panasonic-raw|x-fuji-raf|x-sigma-x3f|x-pentax-pef)',
  'image/(x-kodak-dcr|x-kodak-kdc|x-sony-sr2|x-sony-arw|x-sony-srf|x-minolta-mrw|x-olympus-orf|x-raw-epson|raw|x-raw)',
  'image/(x-portable-pixmap|x-dpx|svg.*)',
  'application/(photoshop|illustrator|postscript)',
]

/**
 * What files become (contract: blobs 13). Archives that hold documents have importers of orders 10 and 11 of their own where their
 * formats are read.
 */
export const importers: readonly Importer[] = [
  defineImporter({
    name: 'Imageplugin',
    order: 10,
    mimeTypes: pictureTypes,
    type: 'Picture',
    existing: 'fileName',
    contentOf: asFile,
  }),
  defineImporter({
    name: 'VideoImporter',
    order: 10,
    mimeTypes: ['video/.*', 'application/(gxf|mxf)'],
    type: 'Video',
    existing: 'title',
    contentOf: asFile,
  }),
  defineImporter({
    name: 'AudioImporter',
    order: 10,
    mimeTypes: ['audio/.*'],
    type: 'Audio',
    existing: 'title',
    contentOf: asFile,
  }),
  defineImporter({
    name: 'NoteImporter',
    order: 10,
    mimeTypes: ['text/(plain|html|x-web-markdown)', 'application/xhtml\\+xml'],
    altersFile: true,
    type: 'Note',
    existing: 'title',
    contentOf: findNoteContent,
  }),
  defineImporter({
    name: 'DefaultFileImporter',
    order: 100,
    mimeTypes: ['.*'],
    type: 'File',
    existing: 'fileName',
    contentOf: asFile,
  }),
]
