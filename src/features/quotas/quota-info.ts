import { isWriting } from '../../core/access.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { bytesIn } from '../../model/properties/property.ts'
import { countSizes } from './count-sizes.ts'
import { findFolder, listFoldersAt, type QuotaFolder } from './quota-folders.ts'
import { pathsDownTo, type Sizes } from './sizes.ts'

/** -1 where nobody counts. */
export type QuotaInfo = { readonly innerSize: number; readonly totalSize: number; readonly maxQuota: number }

const inactive: QuotaInfo = { innerSize: -1, totalSize: -1, maxQuota: -1 }

/** The quota of a document that the caller may read. */
export async function findQuota(session: Session, { id }: Pick<Document, 'id'>): Promise<QuotaFolder | undefined> {
  if (isWriting(session)) await session.settleFiles()
  return findFolder(session.reader.tables, id)
}

/**
 * What a document that the caller may read holds itself, what it holds with all that is below it, and how much it may. What a folder
 * without a quota holds nobody keeps, and to count it here would take as long as it is large.
 */
export async function readQuotaInfo(session: Session, document: Document): Promise<QuotaInfo> {
  const folder = await findQuota(session, document)
  const innerSize = bytesIn(document.properties)
  if (folder !== undefined) return { innerSize, totalSize: folder.sizes.total, maxQuota: folder.max }
  const { path, isProxy } = document
  if (path === null || isProxy) return inactive
  const above = await listFoldersAt(session.reader.tables, pathsDownTo(path))
  if (above.length === 0) return inactive
  const isFolder = session.model.shapeOf(document).hasFacet('Folderish')
  return { innerSize, totalSize: isFolder ? -1 : (await countSizes(session, path)).total, maxQuota: -1 }
}

export interface Slice {
  readonly label: string
  /** Bytes */
  readonly data: number
}

const words = {
  en: { live: 'Live documents', trash: 'Trash', versions: 'Versions', units: ['B', 'KB', 'MB', 'GB', 'TB'] },
  fr: { live: 'Documents', trash: 'Corbeille', versions: 'Versions', units: ['o', 'Ko', 'Mo', 'Go', 'To'] },
} as const

type Language = keyof typeof words

/** The pieces of a pie: what is live, in the trash, and in versions. */
export function slicesOf({ total, trash, versions }: Sizes, language: string | undefined): readonly Slice[] {
  const spoken = languageOf(language)
  const { live, trash: bin, versions: old } = words[spoken]
  const slices = [
    { word: live, data: total - trash - versions },
    { word: bin, data: trash },
    { word: old, data: versions },
  ]
  return slices.map(({ word, data }) => ({ label: `${word}:${readable(data, spoken)}`, data }))
}

/** `fr`, `fr-CA` or `fr_CA`; anything else is answered in English. */
function languageOf(language = ''): Language {
  return /^fr(?:[-_]|$)/i.test(language) ? 'fr' : 'en'
}

function readable(bytes: number, language: Language): string {
  const { units } = words[language]
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(bytes / 1024 ** step)
  return `${number} ${units[step]}`
}
