import type { BlobStore } from '../../store/blobs/blob-store.ts'
import { inlinedBytes, type StageBlob } from './archived-document.ts'
import { MalformedXml, type ParsedXml, parseXml } from './xml-tree.ts'
import type { OpenArchive } from './zip-file.ts'

const markers = ['.platform-archive', '.nuxeo-archive']
const xmlName = 'document.xml'
// More than a document may have in its properties.
const maxXmlBytes = 10 * 1024 ** 2

/** Whether it says of itself that it has documents, as `Document.Export` writes them (contract: blobs 15.2). */
export function isExported({ names }: Pick<OpenArchive, 'names'>): boolean {
  return markers.some((name) => names.has(name))
}

/** The names of its documents, in the order of the archive. @throws archiveNotImportable where it has none */
export function listXml(archive: OpenArchive): readonly string[] {
  const names = [...archive.names].filter((name) => name === xmlName || name.endsWith(`/${xmlName}`))
  if (names.length === 0) archive.refuse('no document is in it')
  return names
}

export async function readXml(archive: OpenArchive, name: string): Promise<ParsedXml & { readonly length: number }> {
  try {
    const text = (await archive.readText(name, maxXmlBytes)) ?? ''
    return { ...(await parseXml(text)), length: text.length }
  } catch (error) {
    if (error instanceof MalformedXml) archive.refuse(`${name.slice(0, 200)} in it is no XML that can be read`, error)
    throw error
  }
}

/**
 * A file beside the XML, or the bytes in it. Each file is stored once, however often the XML names it, and no other XML can: they name what is
 * in their own folder. Whoever wants to know is told of those that are not there.
 */
export function stageFrom(
  archive: OpenArchive,
  xml: string,
  blobs: BlobStore,
  { onMissing, signal }: { readonly onMissing?: (data: string) => void; readonly signal?: AbortSignal | undefined },
): StageBlob {
  const folder = xml.slice(0, -xmlName.length)
  const staged = new Map<string, ReturnType<StageBlob>>()
  const stage: StageBlob = async (data) => {
    signal?.throwIfAborted()
    const stream = data === '' || data.includes('/') ? undefined : await archive.open(folder + data)
    if (stream === undefined) {
      const bytes = inlinedBytes(data)
      if (bytes === undefined && data !== '') onMissing?.(data)
      return bytes && blobs.write(bytes)
    }
    try {
      return await blobs.write(stream, signal && { signal })
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof Error && !('code' in error)) archive.refuse(`${data.slice(0, 100)} in it is damaged`, error)
      throw error
    }
  }
  return (data) => {
    // The bytes in the XML are no name to remember.
    if (!archive.names.has(folder + data)) return stage(data)
    const known = staged.get(data) ?? stage(data)
    staged.set(data, known)
    return known
  }
}
