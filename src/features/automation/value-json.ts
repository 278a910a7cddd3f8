import { jsonOfValue } from '../../automation/sent-value.ts'
import type { Value } from '../../automation/value.ts'
import { writeDocument } from '../../rest/document-entity.ts'
import { writeEntries } from '../../rest/documents-entity.ts'
import { writeRecordSet } from '../../rest/record-set-entity.ts'
import type { RenderContext } from '../../rest/rendering.ts'

/** A value as it stands inside a list or map that is answered: documents are shown as such, files by what is known of them. */
export async function writeValueJson(context: RenderContext, value: Value): Promise<unknown> {
  switch (value.kind) {
    case 'list':
      return Promise.all(value.items.map((item) => writeValueJson(context, item)))
    case 'map': {
      const members = Object.entries(value.members)
      return Object.fromEntries(
        await Promise.all(members.map(async ([name, member]) => [name, await writeValueJson(context, member)] as const)),
      )
    }
    case 'document':
      return writeDocument(context.nested(), value.document)
    case 'documents':
      return writeEntries(context.nested(), value.documents)
    case 'blob':
      return aboutBlob(value.blob.blob)
    case 'blobs':
      return value.blobs.map(({ blob }) => aboutBlob(blob))
    case 'users':
      return value.names
    case 'rows':
      return writeRecordSet(value.rows)
    default:
      return jsonOfValue(value) ?? null
  }
}

function aboutBlob({ name, length, ...blob }: { name: string | null; 'mime-type': string | null; length: number }): object {
  return { name, 'mime-type': blob['mime-type'], length }
}
