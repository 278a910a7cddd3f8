import { Readable } from 'node:stream'
import { createEntryNames } from '../../../base/zip/entry-names.ts'
import { writeZip, type ZipEntry } from '../../../base/zip/write-zip.ts'
import type { Session } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { type Download, mayDownload } from '../../../rest/download/download-rule.ts'
import type { Exchange } from '../../../rest/request/exchange.ts'
import { storeZip, zipContent } from '../pack-files.ts'
import { type FolderItem, listFolderItems } from './folder-content.ts'

const rendition = 'containerDefaultRendition'

/**
 * A folder as one file. It is stored like any other until it is collected, so that it can be asked for in parts; as long as
 * nothing in the folder changes it is made of the same bytes and stored once.
 */
export async function zipFolder({ services, request }: Exchange, session: Session, folder: Document): Promise<Download> {
  const contains: Download[] = []
  const isAllowed = async (download: Download) => {
    if (!(await mayDownload(services.downloads.rules, session, download))) return false
    contains.push(download)
    return true
  }
  const items = await withoutRefused(await listFolderItems(session, folder), isAllowed)
  const { signal } = request
  const { blob } = await storeZip(session.repository, entriesOf(session, items), { services, name: archiveName(folder), signal })
  return { blob, document: folder, isUndated: true, reason: 'download', rendition, contains }
}

type Ask = (download: Download) => Promise<boolean>

/** What a rule refuses is left out. */
async function withoutRefused(items: readonly FolderItem[], isAllowed: Ask): Promise<readonly FolderItem[]> {
  const rest: FolderItem[] = []
  for (const item of items) {
    if (item.kind === 'folder') rest.push({ ...item, items: await withoutRefused(item.items, isAllowed) })
    else if (await isAllowed({ ...item.held, document: item.document, reason: 'download' })) rest.push(item)
  }
  return rest
}

function entriesOf(session: Session, items: readonly FolderItem[]): readonly ZipEntry[] {
  const nameOf = createEntryNames()
  return items.map((item) => {
    const modified = modifiedAt(item.document)
    if (item.kind === 'file') {
      return { name: nameOf(item.held.blob.name), modified, content: zipContent(session.repository, item.held) }
    }
    const entries = entriesOf(session, item.items)
    const length = entries.reduce((sum, { content }) => sum + (content?.length ?? 0), 0)
    const open = async () => Readable.from(writeZip(entries), { objectMode: false })
    return { name: nameOf(archiveName(item.document)), modified, content: { length, open, isCompressed: true } }
  })
}

function archiveName({ name }: Document): string {
  return `${name === '' ? 'documents' : name}.zip`
}

function modifiedAt({ properties }: Document): Date {
  const modified = properties['dc:modified']
  return new Date(typeof modified === 'string' ? modified : 0)
}
