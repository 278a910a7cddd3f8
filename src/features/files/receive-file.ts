import { defineProblem } from '../../base/problem.ts'
import { inspectBlob } from '../../core/blobs/inspect-blob.ts'
import type { SaveOptions } from '../../core/save-options.ts'
import type { BlobValue } from '../../model/property.ts'
import { parseVersioningOption } from '../../model/versioning.ts'
import type { Exchange } from '../../rest/exchange.ts'
import { isForm, readForm } from '../../rest/sent-form.ts'

export const noFileSent = defineProblem(
  'noFileSent',
  'invalid',
  (_: object) => 'No file was sent. Send it as a part of a multipart/form-data body, with a file name.',
)

export interface ReceivedFile {
  readonly blob: BlobValue
  readonly options: SaveOptions
}

/** Stores the file of a form as it comes in, before any transaction. @throws noFileSent, malformedForm, bodyTooLarge */
export async function receiveFile({ request, repository, services }: Exchange): Promise<ReceivedFile> {
  if (!isForm(request)) throw noFileSent({})
  const { signal } = request
  const { maxBytes } = services.uploads.rules
  const { file, fields } = await readForm(request, { maxBytes }, async ({ name, contentType, content }) => {
    const stored = await repository.blobs.write(content, { signal })
    return { ...stored, name, 'mime-type': contentType ?? 'application/octet-stream', encoding: null }
  })
  if (file === undefined) throw noFileSent({})
  const versioning = fields.get('versioning') ?? ''
  return {
    blob: await inspectBlob(repository, file),
    options: versioning === '' ? {} : { versioning: parseVersioningOption(versioning) },
  }
}
