import { type OfficeFamily, openDocumentFamily, wordFamily } from './office-family.ts'

/** A kind of office files that can be templates. */
export interface OfficeKind {
  readonly name: 'docx' | 'odt'
  readonly family: OfficeFamily
  /** The folder of its pictures. */
  readonly media: string
}

export const officeKinds = {
  docx: { name: 'docx', family: wordFamily, media: 'word/media' },
  odt: { name: 'odt', family: openDocumentFamily, media: 'Pictures' },
} as const satisfies Record<string, OfficeKind>
