import type { Document } from '../../model/document.ts'
import { isBlobValue } from '../../model/property.ts'
import type { Shape } from '../../model/shape.ts'
import { anyBytes, findMimeType } from '../mime-types/index.ts'

/** The icon of the main file for a document that is one, else of its type; undefined when neither has one. */
export function iconOf(document: Document, shape: Shape): string | undefined {
  const content = document.properties['file:content']
  const isFile = !shape.hasFacet('Folderish') && isBlobValue(content)
  return isFile ? iconOfMimeType(content['mime-type']) : shape.type.icon
}

function iconOfMimeType(mimeType: string | null): string | undefined {
  const known = findMimeType(mimeType ?? anyBytes) ?? findMimeType(anyBytes)
  return known && `/icons/${known.icon}`
}
