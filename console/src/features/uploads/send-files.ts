import { queryDocuments, quote } from '../../api/documents.ts'
import { type Document, mainFileOf } from '../../api/types.ts'
import { tell } from '../../ui/toasts.tsx'
import { askAboutDuplicates } from './duplicates.ts'
import { keyOf, planFiles } from './planned-files.ts'
import { type PlacedFile, uploadFiles } from './uploads.ts'

/** Sends files to their folders. What is there already is asked about, once for all of them. */
export async function sendFiles(files: readonly PlacedFile[]): Promise<void> {
  const existing = await listExisting(files)
  const duplicates = files.filter((placed) => existing.has(keyOf(placed)))
  const choice =
    duplicates.length === 0
      ? 'both'
      : await askAboutDuplicates(
          duplicates.map(({ file }) => file.name),
          files.length,
        )
  await uploadFiles(planFiles(files, existing, choice))
}

/** Into one folder, and tells what went wrong. */
export function sendFilesTo(parentId: string, files: readonly File[]): void {
  sendFiles(files.map((file) => ({ file, parentId }))).catch((error: Error) => tell({ kind: 'problem', text: error.message }))
}

const namesAtOnce = 100

/** Which of the files their folders have already, as far as one can see it. */
async function listExisting(files: readonly PlacedFile[]): Promise<ReadonlySet<string>> {
  const looks = [...Map.groupBy(files, ({ parentId }) => parentId)].flatMap(([parentId, some]) => {
    const names = [...new Set(some.map(({ file }) => file.name.normalize('NFC')))]
    const parts = Array.from({ length: Math.ceil(names.length / namesAtOnce) }, (_, index) =>
      names.slice(index * namesAtOnce, (index + 1) * namesAtOnce),
    )
    return parts.map((part) => listNames(parentId, part))
  })
  return new Set((await Promise.all(looks)).flat())
}

async function listNames(parentId: string, names: readonly string[]): Promise<readonly string[]> {
  const listed = names.map(quote).join(', ')
  const nxql = `SELECT * FROM Document WHERE ecm:parentId = ${quote(parentId)} AND ecm:isTrashed = 0 AND ecm:isProxy = 0 AND (dc:title IN (${listed}) OR file:content/name IN (${listed}))`
  try {
    const { entries } = await queryDocuments(nxql, { pageSize: 1_000 })
    return entries.map((document) => `${parentId}/${fileNameOf(document)}`)
  } catch {
    // Files are not kept back for want of an answer: what is sent lies beside what is there, and nothing is lost.
    return []
  }
}

/** Kinds that the server knows again by their titles; the others by the names of their files. */
const knownByTitle: ReadonlySet<string> = new Set(['Note', 'Video', 'Audio'])

function fileNameOf(document: Document): string {
  return knownByTitle.has(document.type) ? document.title : (mainFileOf(document)?.name ?? '')
}
