import { type Document, titleOf } from '../../src/model/document.ts'
import { isBlobValue } from '../../src/model/properties/property.ts'
import type { TestServer } from '../../src/testing.ts'

/** What is below a path, a line each by titles, sorted: `Notes/ Folder`, `Notes/b.txt Note text/plain "text"`, `a.pdf File application/pdf 3`. */
export async function importedBelow(server: TestServer, path: string): Promise<readonly string[]> {
  const documents = await server.asSystem(({ tx }) => tx.documents.listBelow(path, undefined, 100_000))
  return shownTree(documents.filter(({ isTrashed }) => !isTrashed))
}

export function shownTree(documents: readonly Document[]): readonly string[] {
  const byId = new Map(documents.map((document) => [document.id, document]))
  const titlesTo = (document: Document): string => {
    const parent = byId.get(document.parentId ?? '')
    return `${parent === undefined ? '' : `${titlesTo(parent)}/`}${titleOf(document)}`
  }
  return documents.map((document) => `${titlesTo(document)}${shownContent(document)}`).sort()
}

function shownContent({ type, properties }: Document): string {
  const { 'file:content': content, 'note:note': note, 'note:mime_type': mimeType } = properties
  if (isBlobValue(content)) return ` ${type} ${content['mime-type']} ${content.length}`
  return typeof note === 'string' ? ` ${type} ${mimeType} ${JSON.stringify(note)}` : `/ ${type}`
}
