import { Readable } from 'node:stream'
import { openBlob } from '../../../core/blobs/open-blob.ts'
import type { Session } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { type Download, mayDownload } from '../../../rest/download-rule.ts'
import type { Exchange } from '../../../rest/exchange.ts'
import { type FolderItem, listFolderItems } from './folder-content.ts'
import { type ZipEntry, zipArchive } from './zip-archive.ts'
import { createZipNames } from './zip-names.ts'

const rendition = 'containerDefaultRendition'

/**
 * A folder as one file. It is kept like any other until it is collected, so that it can be asked for in parts; as long as nothing in
 * the folder changes it is made of the same bytes and kept once.
 */
export async function zipFolder({ services, request }: Exchange, session: Session, folder: Document): Promise<Download> {
  const contains: Download[] = []
  const isAllowed = async (download: Download) => {
    if (!(await mayDownload(services.downloads.rules, session, download))) return false
    contains.push(download)
    return true
  }
  const items = await withoutRefused(await listFolderItems(session, folder), isAllowed)
  const archive = Readable.from(zipArchive(entriesOf(session, items)), { objectMode: false })
  const stored = await session.repository.blobs.write(archive, { signal: request.signal })
  const blob = { ...stored, name: archiveName(folder), 'mime-type': 'application/zip', encoding: null }
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
  const nameOf = createZipNames()
  return items.map((item) => {
    const modified = modifiedAt(item.document)
    if (item.kind === 'file') {
      const { blob } = item.held
      const open = () => openBlob(session.repository.blobs, item.held)
      return { name: nameOf(blob.name), modified, length: blob.length, open }
    }
    const entries = entriesOf(session, item.items)
    const length = entries.reduce((sum, entry) => sum + entry.length, 0)
    return { name: nameOf(archiveName(item.document)), modified, length, open: async () => zipArchive(entries) }
  })
}

function archiveName({ name }: Document): string {
  return `${name === '' ? 'documents' : name}.zip`
}

function modifiedAt({ properties }: Document): Date {
  const modified = properties['dc:modified']
  return new Date(typeof modified === 'string' ? modified : 0)
}
